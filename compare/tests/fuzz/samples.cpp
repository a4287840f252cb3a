// Any bytes as samples.jsonl.bz2 beside a sound set that names their hash.
#include "compare/driver/results/sample_file.hpp"
#include "compare/tests/fuzz/bytes_as_file.hpp"
#include "reports/file/result_file.hpp"
#include "reports/file/sha256.hpp"

using namespace ladder;

namespace {

// The times of one input: the more rows, the fewer inputs a second.
reports::Results small_set() {
  reports::Results set = reports::read(EXAMPLE);
  std::erase_if(set.cells, [](const reports::Cell& cell) {
    return cell.timing() == nullptr || cell.input.dtype != "i32" || cell.input.op != "sum";
  });
  return set;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  static reports::Results set = small_set();
  const auto text = tests::text_of(data, size);
  set.run.samples = reports::sha256(text);
  reports::soundness(set, samples_beside(tests::as_file("samples.jsonl.bz2", text)));
  return 0;
} catch (const reports::BadFile&) {
  return 0;
}
