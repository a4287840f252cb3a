// write_page <results.json> <report.html> [<foreign text>]: for the tests in a browser. The text is added to every name, reason and remark of the
// results that report.html shows.
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

#include "reports/json.hpp"
#include "reports/page.hpp"

using namespace ladder::reports;

namespace {

void plant(const std::string& text, Results& results) {
  for (Rung& rung : results.rungs)
    for (std::string* part : {&rung.rung, &rung.idea, &rung.step, &rung.costs, &rung.limited_by, &rung.repaired, &rung.to_know, &rung.source})
      *part += text;
  for (Rung& rung : results.rungs)
    if (!rung.follows.empty()) rung.follows += text;
  for (Operation& operation : results.operations) operation.name += text;
  for (Rung& rung : results.rungs) rung.operation += text;
  for (Cell& cell : results.cells) {
    for (std::string* part : {&cell.input.operation, &cell.input.dtype, &cell.input.distribution, &cell.who.rung}) *part += text;
    cell.flags.push_back(text);
    if (cell.outcome.failure() != nullptr) cell.outcome = Failure{cell.verdict(), cell.reason() + text, cell.lost_counts()};
  }
  for (std::string* part : {&results.machine.cpu, &results.software.os, &results.run.command, &results.run.date}) *part += text;
}

}  // namespace

int main(int count, char** words) try {
  if (count < 3) throw std::invalid_argument("write_page <results.json> <report.html> [<foreign text>]");
  Results results = read(words[1]);
  if (count > 3) plant(words[3], results);
  const std::string text = page(results, {}, soundness(results));
  std::ofstream out(words[2], std::ios::binary);
  out << text << std::flush;
  return out ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
