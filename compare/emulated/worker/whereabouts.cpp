#include "compare/emulated/worker/whereabouts.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <ucontext.h>

#include <cerrno>
#include <csignal>
#include <utility>
#include <vector>

#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/program.hpp"
#include "compare/emulated/memory/source_line.hpp"

namespace ladder::emulated {

namespace {

Whereabouts::Tell tell_where;
AddressRange program_range;
unsigned tries_left = 0;
std::vector<char> handler_stack;  // a fiber's may be full

void look_again_soon() {
  if (tries_left == 0) return;
  --tries_left;
  const itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 1000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
}

std::uintptr_t instruction_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#ifdef __x86_64__
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#else
  return machine.pc;
#endif
}

// Between two instructions of a kernel all may be called that a signal must not interrupt: the
// thread is in none of it. Elsewhere it looks again soon.
void look(int signal, siginfo_t*, void* context) {
  constexpr unsigned most_tries = 2000;
  if (signal == SIGURG) tries_left = most_tries;
  const int error = errno;
  const std::uintptr_t instruction = instruction_of(context);
  if (!tell_where || !scheduler::in_kernel || !program_range.contains(instruction)) {
    look_again_soon();
  } else {
    const InRuntime runtime;
    // of the place it is not the return address, as source_line() has it
    const std::string line = source_line(reinterpret_cast<const void*>(instruction + 1));
    if (line.starts_with("compare/emulated/")) look_again_soon();
    else
      tell_where(fmt::format("{} in {}, block {}, thread {}",
                             function_name(scheduler::grid().kernel), line,
                             scheduler::running().index, scheduler::current));
  }
  errno = error;
}

void handle(int signal, bool by_looking) {
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGURG);
  sigaddset(&action.sa_mask, SIGALRM);
  if (by_looking) action.sa_sigaction = look;
  else action.sa_handler = signal == SIGURG ? SIG_DFL : SIG_IGN;
  sigaction(signal, &action, nullptr);
}

}  // namespace

Whereabouts::Whereabouts(Tell tell) {
  constexpr std::size_t stack_bytes = 256 * 1024;
  handler_stack.resize(stack_bytes);
  const stack_t stack{.ss_sp = handler_stack.data(), .ss_flags = 0, .ss_size = stack_bytes};
  sigaltstack(&stack, nullptr);
  program_range = find_program().whole;
  tell_where = std::move(tell);
  for (const int signal : {SIGURG, SIGALRM}) handle(signal, true);
}

Whereabouts::~Whereabouts() {
  for (const int signal : {SIGURG, SIGALRM}) handle(signal, false);
  tell_where = nullptr;
}

}  // namespace ladder::emulated
