// Makes the tests from what the worker programs list, and runs them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/catch_session.hpp"
#include "compare/tests/gpu.hpp"
#include "compare/tests/register_test.hpp"
#include "compare/tests/title.hpp"
#include "compare/tests/verification/checks.hpp"

namespace {

using namespace ladder;

bool is_library(const protocol::Listing& one) {
  return one.provider != "handwritten";
}

// Else a worker that is broken would take its tests with it, unseen. Only a GPU may be missing.
void check_introduces_itself(const Backend& backend) {
  if (backend.name == reports::Backend::cuda && tests::skipped_without(backend)) return;
  CHECK(backend.unavailable == "");
  CHECK_FALSE(backend.implementations.empty());
}

std::string tags(const Backend& backend, const protocol::Listing& one) {
  return fmt::format("[{}][{}][{}]{}", name_of(backend.name), one.operation, one.rung,
                     one.from.empty() ? "" : "[kernels]");
}

void register_exact(const Backend& backend) {
  for (const auto& one : backend.implementations)
    tests::register_test(
        fmt::format("{}: {} {}", name_of(backend.name), tests::title(one),
                    one.expected_wrong ? "is caught being wrong" : "gives the exact answer"),
        tags(backend, one), [&backend, &one] {
          if (!tests::skipped_without(backend)) tests::check_gives_the_exact_answer(backend, one);
        });
}

// Those that are written for a type and an operator of the rung.
std::vector<const protocol::Listing*> libraries_of(const Backend& backend,
                                                   const protocol::Listing& rung) {
  const auto share = [](const auto& some, const auto& others) {
    return std::ranges::find_first_of(some, others) != some.end();
  };
  std::vector<const protocol::Listing*> all;
  for (const auto& one : backend.implementations)
    if (is_library(one) && one.operation == rung.operation && share(one.dtypes, rung.dtypes) &&
        (rung.operators.empty() || share(one.operators, rung.operators)))
      all.push_back(&one);
  return all;
}

// With the libraries of its own backend; the emulated backend has none, and there with those of the
// CPU.
void register_agreement(const Backend& backend, const Backend& host) {
  for (const auto& rung : backend.implementations) {
    if (is_library(rung) || rung.expected_wrong) continue;
    const auto own = libraries_of(backend, rung);
    const Backend& other = own.empty() ? host : backend;
    tests::register_test(
        fmt::format("{}: {} agrees with every library", name_of(backend.name), tests::title(rung)),
        tags(backend, rung),
        [&backend, &rung, &other, libraries = own.empty() ? libraries_of(host, rung) : own] {
          if (!tests::skipped_without(backend))
            tests::check_agrees(backend, rung, other, libraries);
        });
  }
}

void register_in_a_row(const Backend& backend) {
  const std::string name(name_of(backend.name));
  const auto add = [&](const char* what, const protocol::Listing& one,
                       void (*check)(const Backend&, const protocol::Listing&)) {
    tests::register_test(fmt::format("{}: {} {}", name, tests::title(one), what),
                         tags(backend, one) + "[in_a_row]", [&backend, &one, check] {
                           if (!tests::skipped_without(backend)) check(backend, one);
                         });
  };
  for (const auto& one : backend.implementations) {
    // else it waits for its own stream
    const bool enqueues = std::ranges::count(one.contracts, reports::Contract::device_result) > 0;
    if (one.expected_wrong || !enqueues) continue;
    if (backend.name == reports::Backend::cuda)
      add("is right when a graph is replayed", one, tests::check_is_right_when_replayed);
    add("is right beside another instance", one, tests::check_is_right_beside_another);
  }
}

void register_large(const Backend& backend) {
  std::set<std::string> operations;
  for (const auto& one : backend.kinds) operations.insert(one.operation);
  const auto add = [&](const std::string& operation, const char* what, const char* tag,
                       void (*check)(const Backend&, const std::string&)) {
    tests::register_test(fmt::format("{}: {} {}", name_of(backend.name), operation, what),
                         fmt::format("[{}][{}][{}]", name_of(backend.name), operation, tag),
                         [&backend, operation, check] {
                           if (!tests::skipped_without(backend)) check(backend, operation);
                         });
  };
  for (const std::string& operation : operations) {
    add(operation, "of more than 2^31 elements", "huge",
        tests::check_takes_more_than_31_bits_count);
    add(operation, "on both sides of each change of shape", "changes",
        tests::check_changes_of_shape);
  }
}

void register_all(const Catalogue& catalogue) {
  for (const Backend& backend : catalogue.backends) {
    tests::register_test(
        fmt::format("{}: the worker program introduces itself", name_of(backend.name)),
        fmt::format("[{}]", name_of(backend.name)),
        [&backend] { check_introduces_itself(backend); });
    for (const auto& [file, reason] : backend.left_out)
      tests::register_test(fmt::format("{}: {} compiles", name_of(backend.name), file),
                           fmt::format("[{}][kernels]", name_of(backend.name)),
                           [said = reason] { FAIL(said); });
    // kernels from elsewhere may be many
    if (backend.name == reports::Backend::emulated && !catalogue.kernels)
      tests::register_test("emulated: the plans of all rungs are short", "[emulated]",
                           [&backend] { tests::check_plans_are_short(backend); });
    register_exact(backend);
    // a CPU takes minutes over them
    if (backend.name == reports::Backend::cuda) register_large(backend);
    register_in_a_row(backend);
    register_agreement(backend, catalogue.backend(reports::Backend::host));
  }
}

}  // namespace

int main(int argc, char** argv) try {
  // of the emulated backend: so that loops over a grid go round
  setenv("LADDER_FEW_MULTIPROCESSORS", "1", 1);
  const Catalogue catalogue = read_catalogue(workers_folder());
  register_all(catalogue);
  return tests::run_session(argc, argv);
} catch (const std::exception& problem) {
  fmt::print(stderr, "{}\n", problem.what());
  return 2;
}
