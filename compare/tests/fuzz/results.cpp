// Any bytes as results.json. They are refused in a sentence, or everything that is made of results
// can be made of them.
#include "compare/tests/fuzz/bytes_as_file.hpp"
#include "reports/file/result_file.hpp"
#include "reports/file/schema.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/compare_sets.hpp"
#include "reports/numbers/flat_table.hpp"
#include "reports/soundness/soundness.hpp"
#include "reports/tests/formats.hpp"
#include "reports/words/lead_sentences.hpp"

using namespace ladder;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  const auto document =
      reports::read_document(tests::as_file("results.json", tests::text_of(data, size)));
  reports::soundness(document);
  if (!reports::violation(document).empty()) return 0;
  auto results = document.get<reports::Results>();
  reports::file_text(results);  // with the id of its content, as a forger gives it
  reports::markdown_files({results, {}, reports::soundness(results)});
  reports::summary_text({results, {}});
  reports::flat(results);
  reports::lead(results);
  reports::comparison(results, results);
  return 0;
} catch (const reports::BadFile&) {
  return 0;
}
