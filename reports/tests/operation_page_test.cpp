// The section of an operation: its accuracy.
#include "compare/tests/catch.hpp"
#include "reports/tests/notes_cells.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;

namespace {

Cell with_error(const char* op, const char* dtype, std::uint64_t n, double ulp,
                std::optional<double> bound = 1.0) {
  Measured measured;
  measured.error = Error{.ulp_max = ulp, .bound = bound};
  Input input = input_of("reduce", dtype, n);
  input.op = op;
  return cell_of(input, "serial", {Backend::emulated, {}, {}}, measured);
}

std::string report(const Cells& cells) {
  Results results = results_of(cells);
  results.operations = {{.name = "reduce", .operators = {"sum", "product", "min"}}};
  return markdown(results);
}

}  // namespace

TEST_CASE("errors of different operators stand beside each other") {
  const auto text =
      report({with_error("product", "f32", 1000, 3'212'899), with_error("sum", "f32", 1000, 2),
              with_error("sum", "f32", 2000, 5), with_error("sum", "f64", 1000, 1, {}),
              with_error("min", "f32", 1000, 0), with_error("sum", "i32", 1000, 0)});
  CHECK_THAT(text, ContainsSubstring(
                       "All other types and operators have the bits of the exact result.\n\n"
                       "| rung | provider | f32 by sum | f64 by sum | f32 by product |\n| --- | "
                       "--- | ---: | ---: | ---: |\n"
                       "| `serial` | handwritten | 5 | 1 (no bound) | 3,212,899 |\n\n*No bound*"));
}

TEST_CASE("where every answer is exact the report says so, and has no table of errors") {
  const auto text = report({with_error("min", "f32", 1000, 0), with_error("sum", "i32", 1000, 0)});
  CHECK_THAT(text,
             ContainsSubstring("Every answer that passed has the bits of the exact result.") &&
                 !ContainsSubstring("by product |"));
  CHECK_THAT(report({with_error("sum", "f32", 1000, 1)}),
             !ContainsSubstring("have the bits of the exact result"));
}
