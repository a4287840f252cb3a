#include "compare/driver/workers/all_cores.hpp"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include "compare/tests/catch.hpp"

namespace ladder {
namespace {

constexpr std::size_t many = 1000;

TEST_CASE("on all cores each piece of work is done once, by a server that its thread alone has") {
  std::vector<std::atomic<int>> done(many);
  std::atomic<int> servers = 0, shared = 0;
  on_all_cores(many, [&] {
    ++servers;
    return [&, thread = std::this_thread::get_id(),
            alive = std::shared_ptr<int>(new int, [&](const int* memory) {
              --servers;
              delete memory;
            })](std::size_t i) {
      if (thread != std::this_thread::get_id()) ++shared;
      ++done[i];
    };
  });
  CHECK(std::ranges::all_of(done, [](int times) { return times == 1; }));
  CHECK(shared == 0);
  CHECK(servers == 0);
}

TEST_CASE("the first exception on any core ends the work, and is thrown again") {
  std::atomic<std::size_t> begun = 0;
  const auto fail = [&] {
    on_all_cores(many, [&] {
      return [&](std::size_t) {
        ++begun;
        throw std::runtime_error("the first");
      };
    });
  };
  CHECK_THROWS_WITH(fail(), "the first");
  CHECK(begun <= host::cores());  // each thread at most one
}

TEST_CASE("a server that cannot be made ends the work too, and nothing to do makes no difference") {
  CHECK_THROWS_WITH(
      on_all_cores(many, []() -> void (*)(std::size_t) { throw std::runtime_error("no server"); }),
      "no server");
  on_all_cores(0, [] { return [](std::size_t) { FAIL("there was nothing to do"); }; });
}

}  // namespace
}  // namespace ladder
