// How far a run has come, on standard error: one line that changes on a terminal, plain lines now
// and then in a log.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace ladder {

// An amount of work. A cell measured in k processes is done in k parts.
struct Work {
  double cells = 0;
  double cost = 0;  // about seconds, on the machine for which plan.cpp is calibrated

  Work& operator+=(const Work& more) {
    cells += more.cells;
    cost += more.cost;
    return *this;
  }
};

std::string in_words(std::chrono::duration<double> time);  // 44 s; 7 min

// elapsed: seconds so far; done, left: seconds of the plan. Ten seconds that went by the plan are
// added, so that the first work alone does not decide.
double seconds_left(double elapsed, double done, double left);

class Progress {
 public:
  explicit Progress(const Work& all) : all_(all) {}
  ~Progress();  // leaves the terminal's line clean

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Safe to call from several threads.
  void doing(const std::string& what);
  // of what was timed last: it stands in the lines that follow
  void done(const std::string& fastest);
  void finished(const Work& work, bool by_earlier_run = false);
  void note(const std::string& message);  // to be read afterwards too

 private:
  using Clock = std::chrono::steady_clock;

  void show();
  std::string time_left() const;

  std::mutex mutex_;
  Work all_, finished_, earlier_;
  std::string what_, fastest_;
  Clock::time_point start_ = Clock::now(), shown_{};
};

}  // namespace ladder
