#include "compare/driver/exit_code.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "compare/driver/errors.hpp"
#include "compare/driver/say.hpp"
#include "reports/json.hpp"

namespace ladder {
namespace {

int fail(const std::string& sentence) {
  say("ladder: {}\n", sentence);
  return 2;
}

}  // namespace

int exit_code_of(const std::function<int()>& action) try {
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit is then a failed write, which is reported
  const int exit_code = action();
  if (std::fflush(stdout) != 0) return fail("standard output cannot be written to");
  return exit_code;
} catch (const UsageError& problem) {
  return fail(problem.what());
} catch (const reports::BadFile& problem) {
  return fail(problem.what());
} catch (const std::system_error& problem) {  // files and folders
  return fail(words_of(problem));
} catch (const std::bad_alloc&) {
  return fail("there is not enough memory for this");
} catch (const Interrupted&) {  // before there was anything to keep
  say("ladder: interrupted\n");
  return 130;
} catch (const std::exception& problem) {
  say("ladder: this is a mistake in ladder itself: {}\n", problem.what());
  return 1;
}

}  // namespace ladder
