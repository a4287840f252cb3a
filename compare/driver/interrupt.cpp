#include "compare/driver/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <csignal>

#include "compare/driver/errors.hpp"

namespace ladder::interrupt {
namespace {

volatile std::sig_atomic_t signals = 0;

void count(int) {
  if (signals != 0) _exit(130);  // the workers end with their parent
  signals = 1;
}

}  // namespace

void watch() {
  struct sigaction action {};
  action.sa_handler = count;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool requested() {
  return signals != 0;
}

void check() {
  if (requested()) throw Interrupted();
}

}  // namespace ladder::interrupt
