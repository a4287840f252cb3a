// A folder of its own for one test: workers of straw, a place for results, and the driver to run
// with them.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/model/model.hpp"

struct Outcome {
  int exit_code = 0;  // 128 + signal where one ended it
  std::string out, err;
};

class Workshop {
 public:
  Workshop();
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  void add_gpu() const;  // of straw

  using Arguments = std::vector<std::string>;
  pid_t start(const Arguments& arguments);  // the driver, with --out where it takes one
  Outcome wait(pid_t driver);
  Outcome kill_and_wait(pid_t driver);  // kill -9: until its workers are gone too
  Outcome run(const Arguments& arguments) { return wait(start(arguments)); }
  Outcome study(const Arguments& options);  // ladder run --out <results> ..

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  // a program of these lines of shell; the next one takes its place
  std::filesystem::path script(const std::string& text) const;
  std::filesystem::path results() const { return folder_ / "results"; }
  ladder::reports::Results read() const;   // results.json, as whoever finds it would
  std::vector<std::string> begun() const;  // "i32 1000 better 0": what workers began, in order
  std::vector<pid_t> worker_ids() const;   // of those that began something

  // However long it takes: ctest ends what hangs. Fails the test where the driver ends before.
  void wait_until(pid_t driver, const std::function<bool()>& so) const;
  void wait_until_begun(pid_t driver, std::size_t count) const;

  std::map<std::string, std::string> environment;
  // bytes the driver may write into one file, as if the disk were full then; 0: no limit
  std::size_t largest_file = 0;
  std::size_t memory = 0;  // bytes of addresses it may have; 0: no limit

 private:
  std::vector<std::vector<std::string>> log() const;

  std::filesystem::path folder_;
};

Workshop::Arguments operator+(Workshop::Arguments a, const Workshop::Arguments& b);

std::string text_of(const std::filesystem::path& file);
std::multiset<std::string> lines_in_any_order(const std::string& text);

// results.json as a study writes it, of these results with their id.
void write_set(const std::filesystem::path& file, ladder::reports::Results set);

bool contains(const std::string& text, const std::string& part);

std::size_t widest_line(const std::string& text);

// One line, one sentence for the user.
bool is_one_line(const std::string& text);
