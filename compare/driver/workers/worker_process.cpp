#include "compare/driver/workers/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

namespace ladder {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

// for a worker whose input or output is closed
constexpr milliseconds time_to_end = 500ms;
// bytes; a listing is the longest true one, far under 1 MiB
constexpr std::size_t longest_reply = std::size_t{64} << 20;

std::system_error last_error(const std::string& what) {
  return {errno, std::generic_category(), what};
}

// Runs in the child between fork and exec: nothing here may allocate. Reports errno through
// `errors` and never returns.
[[noreturn]] void become(char* const* arguments, int socket, WorkerProcess::Heard heard, int errors,
                         pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no worker outlives the driver
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);  // Ctrl-C on the terminal is for the driver, which then ends its workers
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const bool errors_are_heard = heard == WorkerProcess::Heard::errors;
  const int output = errors_are_heard ? open("/dev/null", O_WRONLY | O_CLOEXEC) : socket;
  if (dup2(socket, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
      (!errors_are_heard || dup2(socket, STDERR_FILENO) >= 0))
    execvp(arguments[0], arguments);
  const int error = errno;
  [[maybe_unused]] const auto written = write(errors, &error, sizeof error);
  _exit(127);
}

std::vector<std::string> followed_by(std::vector<std::string> launcher, const fs::path& program) {
  launcher.push_back(program);
  return launcher;
}

}  // namespace

WorkerProcess::WorkerProcess(const fs::path& program, const std::vector<std::string>& launcher)
    : WorkerProcess(followed_by(launcher, program), Heard::output) {
  name_ = program.filename();
}

// One socket serves as its standard input and as the stream that is heard: unlike a pipe, it can be
// written to without SIGPIPE.
WorkerProcess::WorkerProcess(const std::vector<std::string>& words, Heard heard)
    : name_(fs::path(words.at(0)).filename()) {
  std::vector<char*> arguments(words.size() + 1);  // the last is null
  std::ranges::transform(words, arguments.begin(),
                         [](const std::string& word) { return const_cast<char*>(word.c_str()); });
  std::array<int, 2> sockets{}, errors{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
    throw last_error("socketpair");
  if (pipe2(errors.data(), O_CLOEXEC) != 0) {
    const auto error = last_error("pipe");
    close(sockets[0]);
    close(sockets[1]);
    throw error;
  }
  setenv("NCCL_NVLS_ENABLE", "0", 1);  // for all that a worker runs: NCCL without NVLink multicast
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become(arguments.data(), sockets[1], heard, errors[1], parent);
  const auto fork_error = last_error("fork");
  close(sockets[1]);
  close(errors[1]);
  socket_ = sockets[0];

  int error = 0;  // arrives only if exec failed: the pipe closes on exec
  const bool failed = pid_ > 0 && ::read(errors[0], &error, sizeof error) == sizeof error;
  close(errors[0]);
  if (pid_ > 0 && !failed) return;
  close(socket_);
  if (pid_ < 0) throw fork_error;
  waitpid(pid_, nullptr, 0);
  throw std::system_error(error, std::generic_category(), "cannot start " + words.front());
}

WorkerProcess::~WorkerProcess() {
  shutdown(socket_, SHUT_WR);
  if (!ends_within(time_to_end)) {
    kill();
    ends_within(milliseconds::max());
  }
  close(socket_);
}

void WorkerProcess::send(const json& request) {
  const std::string line = request.dump() + '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t n = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_as_ended();
    sent += static_cast<std::size_t>(n);
  }
}

std::optional<json> WorkerProcess::receive(milliseconds timeout) {
  const auto line = receive_line(timeout);
  if (!line) return {};
  auto reply = json::parse(*line, nullptr, false);
  if (!reply.is_object())
    throw MalformedReply("{} sent a line that is not a reply: {:.80}", name_,
                         json(*line).dump(-1, ' ', true, json::error_handler_t::replace));
  return std::optional<json>(std::in_place, std::move(reply));
}

std::optional<std::string> WorkerProcess::receive_line(milliseconds timeout) {
  const auto deadline = steady_clock::now() + timeout;
  while (true) {
    if (auto line = take_line()) return line;
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    pollfd readable{socket_, POLLIN, 0};
    const int ready = poll(&readable, 1, static_cast<int>(std::max(left, 0ms).count()));
    if (ready < 0 && errno != EINTR) throw last_error("poll");
    if (ready <= 0 && left <= 0ms) return {};
    if (ready <= 0) continue;
    std::array<char, 1 << 16> buffer;
    const ssize_t n = recv(socket_, buffer.data(), buffer.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail_as_ended();
    received_.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

std::optional<std::string> WorkerProcess::take_line() {
  const auto end = received_.find('\n');
  if (end == std::string::npos) {
    if (received_.size() > longest_reply)
      throw MalformedReply(name_ + " sends a reply that does not end");
    return {};
  }
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

std::string WorkerProcess::how_it_ended() {
  ends_within(milliseconds::max());
  if (WIFSIGNALED(*status_))
    return fmt::format("killed by signal {} ({})", WTERMSIG(*status_),
                       strsignal(WTERMSIG(*status_)));
  return fmt::format("exit code {}", WEXITSTATUS(*status_));
}

int WorkerProcess::exit_code() {
  ends_within(milliseconds::max());
  return WIFSIGNALED(*status_) ? 128 + WTERMSIG(*status_) : WEXITSTATUS(*status_);
}

void WorkerProcess::interrupt() {
  if (!status_) ::kill(pid_, SIGINT);
}

// A signal that is ignored by all that do not know it.
void WorkerProcess::ask_where() {
  if (!status_) ::kill(pid_, SIGURG);
}

// Ends the program and whatever it started: it leads a group of its own. A launcher may have to end
// what runs elsewhere, so it is asked first.
void WorkerProcess::kill() {
  if (!status_) ::kill(-pid_, SIGTERM);
  if (!ends_within(time_to_end)) ::kill(-pid_, SIGKILL);
}

// Ends what the program started and left. At once: as long as one of the group is there no other
// group gets its number, but later another may.
void WorkerProcess::end_group() {
  const auto deadline = steady_clock::now() + time_to_end;
  ::kill(-pid_, SIGTERM);
  while (::kill(-pid_, 0) == 0 && steady_clock::now() < deadline) std::this_thread::sleep_for(2ms);
  ::kill(-pid_, SIGKILL);
}

bool WorkerProcess::ends_within(milliseconds time) {
  const auto deadline =
      time == milliseconds::max() ? steady_clock::time_point::max() : steady_clock::now() + time;
  while (!status_) {
    int status = 0;
    const pid_t changed = waitpid(pid_, &status, WNOHANG);
    if (changed == pid_) status_ = status, end_group();
    else if (changed < 0 && errno != EINTR) throw last_error("waitpid");
    else if (steady_clock::now() >= deadline) return false;
    else std::this_thread::sleep_for(2ms);
  }
  return true;
}

// Called when its output is closed. The program should be gone, or about to; one that lingers
// without output is of no use.
void WorkerProcess::fail_as_ended() {
  const bool lingers = !ends_within(time_to_end);
  if (lingers) kill();  // in vain where it was ending by itself
  const std::string end = how_it_ended();
  if (lingers && WIFSIGNALED(*status_) &&
      (WTERMSIG(*status_) == SIGTERM || WTERMSIG(*status_) == SIGKILL))
    throw WorkerEnded(name_ + " closed its output and went on running");
  throw WorkerEnded(name_ + " ended: " + end);
}

}  // namespace ladder
