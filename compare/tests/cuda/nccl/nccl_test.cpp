// NCCL without a GPU: NVLink multicast is off before its first call, whatever the environment was.
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "compare/backend.hpp"
#include "compare/cuda/software.hpp"
#include "compare/tests/catch.hpp"

using namespace ladder;

TEST_CASE("who makes a communicator turns multicast off first") {
  setenv("NCCL_NVLS_ENABLE", "1", 1);
  const std::vector<backend::Exchange> one(1);
  try {
    backend::all_gather(one, 0);
  } catch (const std::exception&) {  // there is no GPU
  }
  CHECK(std::getenv("NCCL_NVLS_ENABLE") == std::string("0"));
}

TEST_CASE("the software names NCCL as loaded and as built, and that multicast is off") {
  setenv("NCCL_NVLS_ENABLE", "1", 1);
  const std::string said = gpu::nccl_in_words().value();
  CHECK_THAT(
      said,
      Catch::Matchers::Matches(
          R"([0-9]+\.[0-9]+\.[0-9]+, built with [0-9]+\.[0-9]+\.[0-9]+, NVLink multicast off)"));
  CHECK(std::getenv("NCCL_NVLS_ENABLE") == std::string("0"));
}
