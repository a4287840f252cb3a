// Version 2 of Catch2 is a header that is compiled here, once for all programs; version 3 is a library.
#include "compare/tests/catch_session.hpp"

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

namespace ladder::tests {

int run_session(int argc, char** argv) {
  return Catch::Session().run(argc, argv);
}

}  // namespace ladder::tests
