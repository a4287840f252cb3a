// write_page <report.html> <foreign text> <results.json>...: for the tests in a browser. The report
// of one set, or of several side by side. The text is added to every name, reason and remark of the
// results that it shows. A first name that ends with .json gets the first set itself. A set named
// published=<results.json> is one whose times the report may show.
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reports/file/result_file.hpp"
#include "reports/formats/html/page.hpp"
#include "reports/formats/html/several_sets.hpp"

using namespace ladder::reports;

namespace {

// closed: also what the schema has a list of words for, which no file can have otherwise.
void plant(const std::string& text, Results& results, bool closed) {
  if (text.empty()) return;
  for (Rung& rung : results.rungs)
    for (std::string* part : {&rung.rung, &rung.idea, &rung.step, &rung.costs, &rung.limited_by,
                              &rung.repaired, &rung.to_know, &rung.source})
      *part += text;
  for (Rung& rung : results.rungs)
    if (!rung.follows.empty()) rung.follows += text;
  for (SourceFile& file : results.sources) file.text += "// " + text + "\n";
  if (results.machine.gpu) results.machine.gpu->name += text;
  for (Operation& operation : results.operations) operation.name += text;
  for (Rung& rung : results.rungs) rung.operation += text;
  for (Cell& cell : results.cells) {
    for (std::string* part : {&cell.input.operation, &cell.who.rung}) *part += text;
    if (closed) {
      cell.input.dtype += text;
      cell.input.distribution += text;
      cell.flags.push_back(text);
    }
    if (cell.outcome.failure() != nullptr)
      cell.outcome = Failure{cell.verdict(), cell.reason() + text, cell.lost_counts()};
  }
  if (closed) results.run.date += text;
  for (std::string* part : {&results.machine.cpu, &results.software.os, &results.run.command})
    *part += text;
}

}  // namespace

int main(int count, char** words) try {
  if (count < 4)
    throw std::invalid_argument("write_page <report.html> <foreign text> <results.json>...");
  const bool as_file = std::string_view(words[1]).ends_with(".json");
  std::vector<GivenSet> sets;
  std::vector<Results> published;
  for (int i = 3; i < count; ++i) {
    constexpr std::string_view mark = "published=";
    if (std::string_view(words[i]).starts_with(mark)) {
      published.push_back(read(words[i] + mark.size()));
      continue;
    }
    sets.push_back({i == 3 ? "first" : "other", read(words[i]), {}});
    plant(words[2], sets.back().results, !as_file);
    sets.back().soundness = soundness(sets.back().results);
  }
  std::ofstream out(words[1], std::ios::binary);
  out << (as_file           ? file_text(sets[0].results)
          : sets.size() > 1 ? sets_files(sets).at("sets.html")
                            : page({sets[0].results, published, sets[0].soundness}))
      << std::flush;
  return out ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
