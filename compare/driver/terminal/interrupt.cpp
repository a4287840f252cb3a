#include "compare/driver/terminal/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "compare/driver/terminal/errors.hpp"

namespace ladder::interrupt {
namespace {

// any thread may be the one that takes a signal
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // or a handler could not use it

void count(int) {
  if (interrupted.exchange(true)) _exit(130);  // the workers end with their parent
}

}  // namespace

void watch() {
  struct sigaction action {};
  action.sa_handler = count;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool requested() {
  return interrupted;
}

void check() {
  if (requested()) throw Interrupted();
}

}  // namespace ladder::interrupt
