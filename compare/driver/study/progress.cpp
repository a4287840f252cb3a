#include "compare/driver/study/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "compare/driver/terminal/say.hpp"

namespace ladder {
namespace {

using namespace std::chrono_literals;

const bool on_terminal = isatty(STDERR_FILENO) == 1;

constexpr const char* clear_line = "\r\033[K";

void to_terminal(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Progress::~Progress() {
  if (on_terminal) to_terminal(clear_line);
}

void Progress::doing(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  show();
}

void Progress::done(const std::string& fastest) {
  const std::lock_guard lock(mutex_);
  if (fastest_.empty()) shown_ = {};  // the first time at once
  fastest_ = fastest;
  show();
}

void Progress::finished(const Work& work, bool by_earlier_run) {
  const std::lock_guard lock(mutex_);
  finished_ += work;
  if (by_earlier_run) earlier_ += work;
  else show();
}

void Progress::note(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (on_terminal) to_terminal(clear_line);
  say("{}", message);
}

void Progress::show() {
  if (all_.cells == 0) return;  // all rows are skipped
  const auto now = Clock::now();
  if (now - shown_ < (on_terminal ? 100ms : 10s)) return;
  shown_ = now;
  const double cell = std::min(std::floor(finished_.cells + 1e-6) + 1, all_.cells);
  std::string line =
      fmt::format("row {:.0f} of {:.0f}: {}{}", cell, all_.cells, what_, time_left());
  if (!fastest_.empty()) line += fmt::format("; fastest at {}", fastest_);
  if (!on_terminal) {
    say("{}", line);
    return;
  }
  line.resize(std::min(line.size(), terminal_width() - 1));
  to_terminal(clear_line + line);
  std::fflush(stderr);
}

std::string in_words(std::chrono::duration<double> time) {
  return time.count() < 90 ? fmt::format("{:.0f} s", time.count())
                           : fmt::format("{:.0f} min", time.count() / 60);
}

double seconds_left(double elapsed, double done, double left) {
  constexpr double planned = 10;
  return (elapsed + planned) / (done + planned) * left;
}

std::string Progress::time_left() const {
  const double done = finished_.cost - earlier_.cost;
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  if (elapsed < 2 || done <= 0) return {};
  const double left = seconds_left(elapsed, done, std::max(0.0, all_.cost - finished_.cost));
  return fmt::format(", {} left", in_words(std::chrono::duration<double>(left)));
}

}  // namespace ladder
