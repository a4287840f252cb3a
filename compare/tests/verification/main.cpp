// Makes the tests from what the worker programs list, and runs them.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

#include "compare/driver/catalogue.hpp"
#include "compare/tests/gpu.hpp"
#include "compare/tests/register_test.hpp"
#include "compare/tests/title.hpp"
#include "compare/tests/verification/checks.hpp"

#define CATCH_CONFIG_RUNNER
#include "compare/tests/catch.hpp"

namespace {

using namespace ladder;

bool is_library(const protocol::Listing& one) {
  return one.provider != "handwritten";
}

// Else a worker that is broken would take its tests with it, unseen. Only a GPU may be missing.
void check_introduces_itself(const Backend& backend) {
  if (backend.name == "cuda" && tests::skipped_without(backend)) return;
  CHECK(backend.unavailable == "");
  CHECK_FALSE(backend.implementations.empty());
}

std::string tags(const Backend& backend, const protocol::Listing& one) {
  return fmt::format("[{}][{}][{}]", backend.name, one.operation, one.rung);
}

void register_exact(const Backend& backend) {
  for (const auto& one : backend.implementations)
    tests::register_test(
        fmt::format("{}: {} {}", backend.name, tests::title(one), one.expected_wrong ? "is caught being wrong" : "gives the exact answer"),
        tags(backend, one), [&backend, &one] {
          if (!tests::skipped_without(backend)) tests::check_gives_the_exact_answer(backend, one);
        });
}

void register_pairs(const Backend& backend, const Backend& other) {
  for (const auto& rung : backend.implementations) {
    if (is_library(rung) || rung.expected_wrong) continue;
    for (const auto& library : other.implementations) {
      if (!is_library(library) || library.operation != rung.operation) continue;
      tests::register_test(fmt::format("{}: {} = {}: {}", backend.name, tests::title(rung), other.name, tests::title(library)),
                           tags(backend, rung) + fmt::format("[{}]", library.rung), [&backend, &rung, &other, &library] {
                             if (!tests::skipped_without(backend) && !tests::skipped_without(other))
                               tests::check_agree(backend, rung, other, library);
                           });
    }
  }
}

void register_all(const Catalogue& catalogue) {
  for (const Backend& backend : catalogue.backends) {
    tests::register_test(backend.name + ": the worker program introduces itself", fmt::format("[{}]", backend.name),
                         [&backend] { check_introduces_itself(backend); });
    register_exact(backend);
    for (const Backend& other : catalogue.backends) register_pairs(backend, other);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const Catalogue catalogue = read_catalogue(workers_folder());
  register_all(catalogue);
  return Catch::Session().run(argc, argv);
} catch (const std::exception& problem) {
  fmt::print(stderr, "{}\n", problem.what());
  return 2;
}
