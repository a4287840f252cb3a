#include "compare/registry.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

#include "reports/model/model.hpp"

namespace ladder {
namespace {

auto identity(const Implementation& i) {
  return std::tie(i.path, i.operation, i.op, i.dtype);
}

// A function's static, because rungs register while other static objects are still being
// constructed.
std::vector<Implementation>& registered_implementations() {
  static std::vector<Implementation> all;
  return all;
}

std::vector<LeftOut>& registered_left_out() {
  static std::vector<LeftOut> all;
  return all;
}

[[noreturn]] void refuse(std::initializer_list<std::string_view> words) {
  std::string sentence;
  for (const std::string_view word : words) sentence += word;
  throw std::logic_error(sentence);
}

// What a report shows of a rung must be there, and be plain text.
void check_card(const Implementation& i) {
  const auto require = [&](bool condition, std::string_view complaint) {
    if (!condition) refuse({i.path, ": its Card ", complaint});
  };
  require(!i.card.idea.empty(), "has no idea: one sentence on what this rung does");
  const auto check_text = [&](std::string_view text) {
    require(std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }),
            "holds a line break or a control character");
  };
  for (const auto& [name, text] : card_texts) check_text(i.card.*text);
  for (const auto text : {i.card.notes, i.card.needs, i.card.max_reason}) check_text(text);
  require(i.card.max_elements == Card{}.max_elements || !i.card.max_reason.empty(),
          "limits max_elements without a max_reason");
  require(i.card.max_elements > 0, "allows no element at all");
}

// Results know a rung by its operation, provider and name, in whatever folder it is:
// handwritten/team/gather and handwritten/reduce/gather are one there.
void refuse_namesakes(const std::vector<Implementation>& all) {
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::string_view>
      paths;
  for (const Implementation& i : all) {
    const std::string_view first =
        paths.try_emplace({i.operation, provider_of(i.path), rung_of(i.path)}, i.path)
            .first->second;
    if (first != i.path)
      refuse({first, " and ", i.path, " have one name in ", i.operation,
              ": give one of the files another one"});
  }
}

// Refuses a rung whose Card follows one that is not there.
void check_follows(const Implementation& i, const std::vector<Implementation>& all) {
  const auto is_below = [&](const Implementation& other) {
    return other.operation == i.operation && rung_of(other.path) == i.card.follows;
  };
  const auto is_left_out = [&](const LeftOut& one) {
    return rung_of(path_of_file(one.file)) == i.card.follows;
  };
  if (i.card.follows.empty() || std::ranges::any_of(all, is_below) ||
      std::ranges::any_of(left_out(), is_left_out))
    return;
  refuse({i.path, ": its Card follows ", i.card.follows, ", which is no rung of ", i.operation});
}

}  // namespace

std::string_view rung_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string_view path_of_file(std::string_view file) {
  std::size_t before = file.size();  // the slash before its last three parts; npos + 1 is 0
  for (int part = 0; part < 3 && before != file.npos; ++part)
    before = before == 0 ? file.npos : file.rfind('/', before - 1);
  const auto path = file.substr(before + 1);
  return path.substr(0, path.find('.', path.rfind('/') + 1));
}

std::string_view provider_of(std::string_view path) {
  const auto folder = path.substr(0, path.find('/'));
  if (folder != "vendor") return folder;
  const auto rung = rung_of(path);
  return rung.substr(0, rung.find('_'));
}

std::string limit_path(const reports::Operation& operation) {
  const bool copies = operation.output == reports::Output::one_per_element;
  return std::string(reports::limit_provider) + '/' + operation.name + (copies ? "/copy" : "/read");
}

bool is_limit(std::string_view path) {
  return provider_of(path) == reports::limit_provider;
}

void register_implementation(const Implementation& implementation) {
  registered_implementations().push_back(implementation);
}

LeftOut::LeftOut(std::string_view that_file, std::string_view that_reason, bool is_an_error)
    : file(that_file), reason(that_reason), is_error(is_an_error) {
  registered_left_out().push_back(*this);
}

const std::vector<LeftOut>& left_out() {
  return registered_left_out();
}

std::vector<Implementation> in_order(std::vector<Implementation> registered) {
  std::ranges::sort(registered, {}, identity);
  const auto twice = std::ranges::adjacent_find(registered, {}, identity);
  if (twice != registered.end())
    refuse({twice->path, " is registered twice for ", twice->operation,
            twice->op.empty() ? "" : " ", twice->op, " of ", twice->dtype,
            ": name each operation and element type in one Register line of that file only"});
  refuse_namesakes(registered);
  for (const Implementation& i : registered) check_card(i);
  for (const Implementation& i : registered) check_follows(i, registered);
  return registered;
}

const std::vector<Implementation>& implementations() {
  static const std::vector<Implementation> all = in_order(registered_implementations());
  return all;
}

const Implementation& implementation_of(std::string_view path, std::string_view operation,
                                        std::string_view op, std::string_view dtype) {
  for (const Implementation& i : implementations()) {
    const bool takes_op = op == Height::name ? i.prepare_tree != nullptr : i.op == op;
    if (i.path == path && i.operation == operation && i.dtype == dtype && takes_op) return i;
  }
  refuse({"no ", path, " is registered for ", operation, " ", op, " of ", dtype});
}

}  // namespace ladder
