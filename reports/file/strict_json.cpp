#include "reports/file/strict_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "reports/text/escape.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

constexpr int depth_limit = 16;  // the model is 7 deep
// a full study has 0.4: bounds what a small file makes of memory
constexpr std::size_t million = 1'000'000, value_limit = 4 * million;

}  // namespace

json strict_json(std::string_view text) {
  try {
    std::size_t values = 0;
    std::vector<std::set<std::string>> fields;  // of each object and list that is open
    json document = json::parse(text, [&](int depth, json::parse_event_t event, json& parsed) {
      using Event = json::parse_event_t;
      if (event == Event::key && !fields.back().insert(parsed).second)
        throw BadJson(
            fmt::format("it has the field {} twice in one object", printable(parsed.dump())));
      const bool ends = event == Event::object_end || event == Event::array_end;
      if (ends) fields.pop_back();
      if (ends || event == Event::key) return true;
      if (event != Event::value) {
        if (depth == depth_limit) throw BadJson("it is nested too deeply");
        fields.emplace_back();
      }
      if (++values > value_limit)
        throw BadJson(
            fmt::format("it holds more than {} million values, ten times as many as a full study",
                        value_limit / million));
      return true;
    });
    if (text.find('\0') != std::string_view::npos)
      throw BadJson("it has a zero byte, at which the parser stops");
    return document;
  } catch (const json::parse_error& e) {
    const auto before = text.substr(0, e.byte - 1);  // byte counts from 1
    if (e.byte > text.size()) throw BadJson("it ends too early, as if cut off");
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto column = before.size() - before.rfind('\n');  // npos is -1
    throw BadJson(fmt::format("it is not JSON from line {}, column {} on", line, column));
  } catch (const json::exception&) {  // out_of_range
    throw BadJson("it holds a number too large for any machine");
  }
}

}  // namespace ladder::reports
