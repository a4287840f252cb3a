#include "compare/driver/event.hpp"

#include <optional>
#include <stdexcept>

namespace ladder {
namespace event {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Limits, backend, ceilings, overheads)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Start, group, process)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Sampled, group, process, sample)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measured, group, process, cell)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Lost, group, path, verdict, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Done, group, process)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Written, id, finished)

}  // namespace event

namespace {

using nlohmann::json;

// In the order of the variant.
constexpr const char* names[] = {"limits", "start", "sample", "cell", "lost", "done", "written"};

// The library alone would take -1 for an index.
void require_index(const json& line, const char* field) {
  if (!line.contains(field)) return;
  if (!line[field].is_number_unsigned()) throw std::invalid_argument(std::string("its ") + field + " is no index");
}

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

Event from_line(const json& line) {
  require_index(line, "group");
  require_index(line, "process");
  if (auto event = read(line)) return *std::move(event);
  throw std::invalid_argument("there is no event " + line.at("event").dump());
}

}  // namespace ladder
