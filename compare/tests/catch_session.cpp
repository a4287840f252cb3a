// Version 2 of Catch2 is a header that is compiled here, once for all programs; version 3 is a
// library.
#include "compare/tests/catch_session.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define LADDER_CATCH_3
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

namespace ladder::tests {

int run_session(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
#ifdef LADDER_CATCH_3  // where that option of version 2 is two
  if (const auto at = std::ranges::find(words, std::string_view("--list-test-names-only"));
      at != words.end())
    words.insert(words.erase(at), {"--list-tests", "--verbosity", "quiet"});
#else
  // as in version 3: a name that fits no test fails
  words.insert(words.begin() + 1, {"--warn", "NoTests"});
#endif
  return Catch::Session().run(static_cast<int>(words.size()), words.data());
}

}  // namespace ladder::tests
