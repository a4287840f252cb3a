#include "compare/driver/study/journal_event.hpp"

#include <optional>
#include <stdexcept>

#include "reports/file/schema.hpp"

namespace ladder {
namespace {

// The names of events, in the order of the variant.
constexpr const char* names[] = {"limits", "start", "sample", "cell", "lost", "done", "written"};

// What goes into the results as it stands, and where their schema has its rules.
struct Part {
  std::string_view event;
  const char *field, *rules;
};
constexpr Part parts[] = {
    {"limits", "/ceilings", "/properties/ceilings"},
    {"limits", "/overheads", "/properties/overheads"},
    {"sample", "/sample/us", "/definitions/process_median/properties/time_us"},
    {"cell", "/cell/flags", "/definitions/cell/properties/flags"},
    {"cell", "/cell/minimum_bytes", "/definitions/bytes"},
    {"cell", "/cell/error", "/definitions/error"},
    {"cell", "/cell/counters", "/definitions/counters"},
    {"cell", "/cell/lost_counts", "/definitions/outcome/properties/lost_counts"},
    {"cell", "/cell/sm_cycles", "/definitions/timing/properties/sm_cycles"},
    {"cell", "/cell/back_to_back_us", "/definitions/process_median/properties/back_to_back_us"},
    {"cell", "/cell/devices_us", "/definitions/process_median/properties/devices_us"},
    {"cell", "/cell/clocks", "/definitions/clocks"}};

template <std::size_t i = 0>
std::optional<Event> read(const json& line) {
  if constexpr (i < std::variant_size_v<Event>) {
    if (line.at("event") == names[i]) return line.get<std::variant_alternative_t<i, Event>>();
    return read<i + 1>(line);
  } else {
    return {};
  }
}

}  // namespace

json to_line(const Event& event) {
  json line = std::visit([](const auto& one) { return json(one); }, event);
  line["event"] = names[event.index()];
  return line;
}

void require_fit(const json& line) {
  const auto* event = line.at("event").get_ptr<const std::string*>();
  for (const Part& part : parts) {
    if (event == nullptr || *event != part.event) continue;
    const json::json_pointer field(part.field);
    if (!line.contains(field)) continue;  // reading it will tell
    if (const auto what = reports::part_violation(line.at(field), part.rules, field); !what.empty())
      throw std::invalid_argument(what);
  }
}

Event from_line(const json& line) {
  require_fit(line);
  if (auto event = read(line)) return *std::move(event);
  throw std::invalid_argument("there is not an event " + line.at("event").dump());
}

}  // namespace ladder
