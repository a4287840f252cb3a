#include "compare/driver/terminal/exit_code.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/say.hpp"
#include "reports/file/result_file.hpp"

namespace ladder {
namespace {

constexpr const char* unwritten =
    "cannot write to standard output; make room there, or redirect it";

int fail(const std::string& sentence) {
  say("{}", sentence);
  return 2;
}

// Needs no memory.
int fail_without_memory() {
  std::fputs("ladder: there is not enough memory for this\n", stderr);
  return 2;
}

// What a destructor throws meets no handler, and that of a JSON document asks for memory.
[[noreturn]] void end_without_handler() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    _exit(fail_without_memory());
  } catch (const std::exception& problem) {
    say("this is a bug in ladder: {}", problem.what());
  } catch (...) {  // abort() says enough
  }
  std::abort();
}

int exit_code_in_words(const std::function<int()>& action) try {
  std::set_terminate(end_without_handler);
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit is then a failed write, which is reported
  const int exit_code = action();
  if (std::fflush(stdout) != 0) return fail(unwritten);
  return exit_code;
} catch (const UsageError& problem) {
  return fail(problem.what());
} catch (const reports::BadFile& problem) {
  return fail(problem.what());
} catch (const std::system_error& problem) {  // files and folders
  return fail(std::ferror(stdout) != 0 ? unwritten : words_of(problem));
} catch (const std::bad_alloc&) {
  throw;
} catch (const Interrupted&) {  // before there was anything to keep
  say("interrupted");
  return 130;
} catch (const std::exception& problem) {
  say("this is a bug in ladder: {}", problem.what());
  return 1;
}

}  // namespace

int exit_code_of(const std::function<int()>& action) try {
  return exit_code_in_words(action);
} catch (const std::bad_alloc&) {
  return fail_without_memory();
}

}  // namespace ladder
