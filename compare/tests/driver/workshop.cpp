#include "compare/tests/driver/workshop.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "compare/driver/disk/write_files.hpp"
#include "compare/tests/catch.hpp"
#include "reports/file/result_file.hpp"

namespace fs = std::filesystem;
using namespace std::chrono_literals;

Workshop::Workshop() {
  std::string name = fs::temp_directory_path() / "ladder-driver-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = name;
  fs::create_directory(path("workers"));
  for (const char* worker : {"worker_host", "worker_emulated"})
    fs::create_symlink(FAKE_WORKER, path("workers") / worker);
  environment = {
      {"LADDER_WORKERS", path("workers")}, {"LADDER_ROOT", folder_}, {"FAKE_LOG", path("log")}};
}

Workshop::~Workshop() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Workshop::add_gpu() const {
  fs::create_symlink(FAKE_WORKER, path("workers") / "worker_cuda");
}

fs::path Workshop::script(const std::string& text) const {
  const auto file = path("script");
  std::ofstream(file) << "#!/bin/sh\n" << text << '\n';
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

pid_t Workshop::start(const Arguments& arguments) {
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // it does not outlive a test that is ended
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  if (largest_file > 0) {
    std::signal(SIGXFSZ, SIG_IGN);  // so that writing fails instead
    const rlimit limit{largest_file, largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (memory > 0) {
    const rlimit limit{memory, memory};
    setrlimit(RLIMIT_AS, &limit);
  }
  const int out = open(path("out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644),
            err = open(path("err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  std::vector<char*> words{const_cast<char*>(LADDER_PROGRAM)};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(LADDER_PROGRAM, words.data());
  _exit(127);
}

Outcome Workshop::wait(pid_t driver) {
  int status = 0;
  REQUIRE(waitpid(driver, &status, 0) == driver);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(path("out")),
          text_of(path("err"))};
}

// A child that it has forked and that is no worker yet holds the lock on the journal, for as long
// as a busy machine does not let it run. Orphans become children of this process, and are waited
// for.
Outcome Workshop::kill_and_wait(pid_t driver) {
  REQUIRE(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  kill(driver, SIGKILL);
  auto outcome = wait(driver);
  while (::wait(nullptr) > 0) {
  }
  REQUIRE(prctl(PR_SET_CHILD_SUBREAPER, 0) == 0);
  return outcome;
}

Outcome Workshop::study(const Arguments& options) {
  Arguments arguments{"run", "--out", results()};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

ladder::reports::Results Workshop::read() const {
  return ladder::reports::read(results() / "results.json");
}

std::vector<std::vector<std::string>> Workshop::log() const {
  std::vector<std::vector<std::string>> lines;
  std::istringstream text(text_of(path("log")));
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    lines.emplace_back(std::istream_iterator<std::string>(words),
                       std::istream_iterator<std::string>());
  }
  return lines;
}

std::vector<std::string> Workshop::begun() const {
  std::vector<std::string> all;
  for (const auto& words : log())
    all.push_back(words.at(0) + ' ' + words.at(1) + ' ' + words.at(2) + ' ' + words.at(3));
  return all;
}

std::vector<pid_t> Workshop::worker_ids() const {
  std::vector<pid_t> all;
  for (const auto& words : log()) all.push_back(std::stoi(words.at(4)));
  return all;
}

void Workshop::wait_until(pid_t driver, const std::function<bool()>& so) const {
  while (true) {
    siginfo_t end{};
    REQUIRE(waitid(P_PID, static_cast<id_t>(driver), &end, WEXITED | WNOHANG | WNOWAIT) == 0);
    if (so()) return;
    if (end.si_pid != 0) FAIL("the driver has ended; it said: " << text_of(path("err")));
    std::this_thread::sleep_for(5ms);
  }
}

void Workshop::wait_until_begun(pid_t driver, std::size_t count) const {
  wait_until(driver, [&] { return log().size() >= count; });
}

Workshop::Arguments operator+(Workshop::Arguments a, const Workshop::Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::multiset<std::string> lines_in_any_order(const std::string& text) {
  std::istringstream in(text);
  std::multiset<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_set(const fs::path& file, ladder::reports::Results set) {
  ladder::write_file(file, ladder::reports::file_text(set));
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) widest = std::max(widest, line.size());
  return widest;
}

bool is_one_line(const std::string& text) {
  return text.size() > 1 && std::ranges::count(text, '\n') == 1 && text.back() == '\n';
}
