#include "reports/file/strict_json.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "reports/text/escape.hpp"

namespace ladder::reports {
namespace {

constexpr std::size_t depth_limit = 16;  // the model is 7 deep
// a full study has 0.4: bounds what a small file makes of memory
constexpr std::size_t million = 1'000'000, value_limit = 4 * million;

class Gate : public nlohmann::detail::json_sax_dom_parser<json> {
  using Builder = nlohmann::detail::json_sax_dom_parser<json>;

 public:
  explicit Gate(json& document) : Builder(document) {}

  bool null() { return value() && Builder::null(); }
  bool boolean(bool is) { return value() && Builder::boolean(is); }
  bool number_integer(json::number_integer_t is) { return value() && Builder::number_integer(is); }
  bool number_unsigned(json::number_unsigned_t is) {
    return value() && Builder::number_unsigned(is);
  }
  bool number_float(json::number_float_t is, const json::string_t& text) {
    return value() && Builder::number_float(is, text);
  }
  bool string(json::string_t& is) { return value() && Builder::string(is); }
  bool start_object(std::size_t size) { return open() && Builder::start_object(size); }
  bool end_object() { return close() && Builder::end_object(); }
  bool start_array(std::size_t size) { return open() && Builder::start_array(size); }
  bool end_array() { return close() && Builder::end_array(); }
  bool key(json::string_t& name) {
    if (!fields_.back().insert(name).second)
      throw BadJson("it has the field {} twice in one object", printable(json(name).dump()));
    return Builder::key(name);
  }

 private:
  bool value() {
    if (++values_ <= value_limit) return true;
    throw BadJson("it holds more than {} million values, ten times as many as a full study",
                  value_limit / million);
  }
  bool open() {
    if (fields_.size() == depth_limit) throw BadJson("it is nested too deeply");
    fields_.emplace_back();
    return value();
  }
  bool close() {
    fields_.pop_back();
    return true;
  }

  std::size_t values_ = 0;
  std::vector<std::set<std::string>> fields_;  // of each object that is open; of an array: none
};

}  // namespace

json strict_json(std::string_view text) {
  try {
    json document;
    Gate gate(document);
    static_cast<void>(json::sax_parse(text, &gate));
    if (text.find('\0') != std::string_view::npos)
      throw BadJson("it has a zero byte, at which the parser stops");
    return document;
  } catch (const json::parse_error& e) {
    const auto before = text.substr(0, e.byte - 1);  // byte counts from 1
    if (e.byte > text.size()) throw BadJson("it ends too early, as if cut off");
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto column = before.size() - before.rfind('\n');  // npos is -1
    throw BadJson("it is not JSON from line {}, column {} on", line, column);
  } catch (const json::exception&) {  // out_of_range
    throw BadJson("it holds a number too large for any machine");
  }
}

}  // namespace ladder::reports
