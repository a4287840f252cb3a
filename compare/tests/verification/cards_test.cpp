// Every implementation of every worker program says of itself what docs/adding_a_rung.md asks for.
#include "compare/driver/plan/catalogue.hpp"
#include "compare/tests/catch.hpp"

using namespace ladder;

TEST_CASE(
    "a hand-written rung says its idea, its step, what it costs and what limits it, a library call "
    "its library and source",
    "[cards]") {
  std::size_t seen = 0;
  for (const protocol::Listing& one : read_catalogue(workers_folder()).implementations()) {
    INFO(one.path << " of " << one.operation);
    ++seen;
    CHECK(one.idea.ends_with('.'));
    if (one.provider == "handwritten") {
      CHECK(one.costs.ends_with('.'));
      CHECK(one.limited_by.ends_with('.'));
      CHECK((one.notes.empty() && one.source.empty()) == false);  // where it comes from
    } else {
      CHECK(one.library.find(' ') != std::string::npos);  // a name and a version
      CHECK(one.source.ends_with('.'));
    }
    CHECK(one.step.ends_with('.') == !one.follows.empty());
    CHECK((one.repaired.empty() || one.repaired.ends_with('.')));
  }
  CHECK(seen > 0);
}
