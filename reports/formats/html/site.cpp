#include "reports/formats/html/site.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "reports/formats/html/page.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/lead_sentences.hpp"
#include "reports/words/machine.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

json list_of(const std::vector<GivenSet>& sets, bool side_by_side) {
  Section all{.title = passage("page/sets"), .id = "sets"};
  Table& table = all.tables.emplace_back(Table{{"set", "machine", "date", "in a sentence"}});
  for (const auto& [name, results, soundness] : sets)
    table.rows.push_back({fmt::format("[{}]({}/report.html)", name, name),
                          machine_in_short(results), day_of(results.run), lead(results)});
  if (side_by_side) all.after = passage("page/side_by_side");
  return {{"title", passage("page/site")},     {"kicker", passage("page/site")},
          {"lead", passage("page/site_lead")}, {"note", passage("page/site_note")},
          {"warnings", json::array()},         {"sections", json::array({all})},
          {"figures", json::object()}};
}

}  // namespace

Files site(const std::vector<GivenSet>& sets) {
  if (sets.empty()) throw std::invalid_argument("a site of no set");
  Files files;
  for (const auto& [name, results, soundness] : sets)
    files[name + "/report.html"] = page({results, {}, soundness});
  // a further run of a machine lies in the folder of the first one
  std::vector<GivenSet> machines;
  for (const GivenSet& set : sets)
    if (set.name.find('/') == std::string::npos && machines.size() < most_sets)
      machines.push_back(set);
  if (machines.size() < 2 && sets.size() > 1) machines = {sets[0], sets[1]};
  if (machines.size() > 1) files["sets.html"] = sets_files(machines).at("sets.html");
  files["index.html"] = page_with(list_of(sets, machines.size() > 1));
  return files;
}

}  // namespace ladder::reports
