// The tests of words on a GPU; where there is none they are skipped.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#include "compare/tests/catch_session.hpp"

int main(int argc, char** argv) {
  int devices = 0;
  if (argc > 1 && argv[1][0] != '-' &&
      (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)) {
    std::puts("SKIPPED: there is no GPU");
    return std::getenv("LADDER_REQUIRE_GPU") == nullptr ? 0 : 1;
  }
  return ladder::tests::run_session(argc, argv);
}
