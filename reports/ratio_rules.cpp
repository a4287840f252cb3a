#include "reports/ratio_rules.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "reports/ladder.hpp"
#include "reports/soundness.hpp"

namespace ladder::reports {
namespace {

struct Range {
  double low = 0, high = 0;
};

// Where the geometric mean of the medians of its processes lies.
Range geometric_mean(const Time& t) {
  const bool stretched = t.median <= t.ci95_low || t.ci95_high <= t.median;
  if (stretched) return {t.ci95_low, t.ci95_high};
  const double middle = std::sqrt(t.ci95_low) * std::sqrt(t.ci95_high);
  return {middle, middle};
}

bool within(double value, Range range) {
  return (range.low <= value && value <= range.high) || agree(value, range.low) || agree(value, range.high);
}

// What is wrong with "a is r times as fast as b". Empty: nothing.
std::string wrong(const Ratio& r, const Time& a, const Time& b) {
  if (!(r.ci95_low <= r.value && r.value <= r.ci95_high)) return fmt::format("its value {} is not in its interval", r.value);
  const std::string_view verdict = ratio_verdict(r.ci95_low, r.ci95_high);
  if (r.verdict != verdict) return fmt::format("it says \"{}\", its interval says \"{}\"", r.verdict, verdict);
  if (a.processes < 2 || b.processes < 2) return "it takes two processes to pair";
  if (a.processes != b.processes) return "";  // paired where both were measured: of which processes, the file does not tell
  const Range mine = geometric_mean(a), its = geometric_mean(b);
  const Range expected{its.low / mine.high, its.high / mine.low};
  if (within(r.value, expected)) return "";
  if (expected.low == expected.high) return fmt::format("its value is {}, the times make {}", r.value, expected.low);
  return fmt::format("its value is {}, the times make {} to {}", r.value, expected.low, expected.high);
}

// The cells that competed on one input.
class Group {
 public:
  void add(const Cell& cell) {
    by_name_.emplace(RungName{cell.key.provider, cell.key.rung}, &cell);
    if (cell.key.provider == "handwritten" || !cell.time_us) return;
    if (fastest_ == nullptr || cell.time_us->median < fastest_->time_us->median) fastest_ = &cell, is_tie_ = false;
    else if (cell.time_us->median == fastest_->time_us->median) is_tie_ = true;
  }

  std::vector<std::string> broken(const Cell& cell) {
    std::vector<std::string> all;
    const auto hold = [&](const char* name, const std::optional<Ratio>& ratio, const Cell* other) {
      if (!ratio || !cell.time_us) return;  // a ratio without a time is another rule's
      if (other == nullptr || !other->time_us) all.push_back(fmt::format("{}: nothing that it could be against has a time here", name));
      else if (other == &cell) all.push_back(fmt::format("{}: it is against the row itself", name));
      else if (const auto why = wrong(*ratio, *cell.time_us, *other->time_us); !why.empty()) all.push_back(fmt::format("{}: {}", name, why));
    };
    hold("ratios/vs_first_rung", cell.ratios->vs_first_rung, first_rung(cell));
    if (!is_tie_) hold("ratios/vs_fastest_library", cell.ratios->vs_fastest_library, fastest_);  // of two equally fast, the file does not tell which
    return all;
  }

 private:
  // Down the ladder as far as it goes. Each cell is walked over once, in however long a chain or a circle a file has them.
  const Cell* first_rung(const Cell& cell) {
    std::vector<const Cell*> passed;
    const Cell* at = &cell;
    while (at != nullptr) {
      const auto [known, is_new] = first_.emplace(at, nullptr);  // nullptr: what a circle ends at
      if (!is_new) {
        at = known->second;
        break;
      }
      passed.push_back(at);
      if (at->improves_on.empty()) break;
      const auto below = by_name_.find({at->key.provider, at->improves_on});
      at = below == by_name_.end() ? nullptr : below->second;
    }
    for (const Cell* one : passed) first_[one] = at;
    return at;
  }

  std::map<RungName, const Cell*> by_name_;
  std::map<const Cell*, const Cell*> first_;
  const Cell* fastest_ = nullptr;
  bool is_tie_ = false;
};

CellKey input_of(CellKey key) {
  key.provider.clear(), key.rung.clear();
  return key;
}

}  // namespace

std::vector<CellViolation> broken_ratios(const std::vector<Cell>& cells) {
  std::map<CellKey, Group> groups;
  for (const Cell& cell : cells) groups[input_of(cell.key)].add(cell);
  std::vector<CellViolation> all;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i].ratios) continue;
    if (!cells[i].time_us) all.push_back({i, "there are ratios and no time"});
    for (std::string& what : groups.at(input_of(cells[i].key)).broken(cells[i])) all.push_back({i, std::move(what)});
  }
  return all;
}

}  // namespace ladder::reports
