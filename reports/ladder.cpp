#include "reports/ladder.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "reports/text.hpp"

namespace ladder::reports {
namespace {

template <std::size_t N>
std::size_t rank_in(const std::array<std::string_view, N>& known, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(known, name) - known.begin());
}

std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<double> quotient(std::optional<double> above, std::optional<double> below) {
  return above && below && *below > 0 ? std::optional(*above / *below) : std::nullopt;
}

// What an operation's accesses are held against. All of today's read but scans, which write as much; other results are small.
std::string_view ceiling_access(std::string_view operation) {
  return operation.ends_with("scan") ? "copy" : "read";
}

}  // namespace

bool has_flag(const Cell& cell, std::string_view flag) {
  return std::ranges::find(cell.flags, flag) != cell.flags.end();
}

std::string cell_name(const CellKey& key) {
  std::vector<std::string> parts{key.operation};
  if (key.op) parts.push_back(*key.op);
  parts.insert(parts.end(), {key.dtype, "n = " + elements(key.n), key.distribution});
  if (key.bins) parts.push_back(counted(*key.bins, "bin", "bins"));
  parts.insert(parts.end(), {key.provider + '/' + key.rung, key.backend});
  for (const auto& timed : {key.contract, key.cache})
    if (timed) parts.push_back(*timed);
  return printable(joined(parts));
}

const Ceiling* ceiling_of(const Cell& cell, const std::vector<Ceiling>& ceilings) {
  const bool cached = cell.key.cache == "warm" && has_flag(cell, "fits_in_cache");
  const auto found = std::ranges::find_if(ceilings, [&](const Ceiling& c) {
    return c.backend == cell.key.backend && c.access == ceiling_access(cell.key.operation) && c.size_class == (cached ? "cache" : "dram");
  });
  return found == ceilings.end() ? nullptr : &*found;
}

const char* ratio_verdict(double ci95_low, double ci95_high) {
  return ci95_low > 1 ? "faster" : ci95_high < 1 ? "slower" : "no difference shown";
}

Cell presentable(Cell cell) {
  if (cell.verdict != "pass") {
    cell.error.reset();
    cell.counters.reset();
    if (cell.verdict != "expected_wrong") cell.lost_counts.reset();  // there they are the lesson
  }
  if (cell.verdict != "pass" || cell.key.backend == "emulated") {
    cell.time_us.reset();
    cell.bandwidth_gbps.reset();
    cell.percent_of_ceiling.reset();
    cell.percent_of_datasheet.reset();
    cell.ratios.reset();
    cell.sm_cycles.reset();
    cell.clocks.reset();
  }
  return cell;
}

std::map<RungName, std::size_t> ladder_order(const std::vector<Cell>& cells) {
  std::map<RungName, std::string> below;  // what each implementation improves on
  for (const Cell& cell : cells) below.emplace(RungName{cell.key.provider, cell.key.rung}, cell.improves_on);
  std::map<RungName, std::vector<RungName>> above;
  std::vector<RungName> first, circular;
  for (const auto& [name, improves_on] : below) {
    const RungName step{name.first, improves_on};
    circular.push_back(name);  // for a file whose rungs improve on each other in a circle: taken last, most were placed by then
    if (below.contains(step)) above[step].push_back(name);
    else first.push_back(name);
  }
  std::stable_partition(first.begin(), first.end(), [](const RungName& name) { return name.first == "handwritten"; });
  std::vector<RungName> stack(circular.rbegin(), circular.rend());
  stack.insert(stack.end(), first.rbegin(), first.rend());
  std::map<RungName, std::size_t> order;
  while (!stack.empty()) {
    const RungName name = stack.back();
    stack.pop_back();
    if (!order.emplace(name, order.size()).second) continue;
    const auto& next = above[name];
    stack.insert(stack.end(), next.rbegin(), next.rend());
  }
  return order;
}

std::vector<Cell> of_fullest_inputs(std::vector<Cell> cells) {
  const auto input = [](const Cell& c) { return std::tuple(c.key.op, c.key.dtype, c.key.n, c.key.distribution, c.key.bins); };
  std::map<decltype(input(cells[0])), std::size_t> passed;
  std::size_t most = 0;
  for (const Cell& c : cells) most = std::max(most, passed[input(c)] += c.verdict == "pass" ? 1 : 0);
  std::erase_if(cells, [&](const Cell& c) { return passed[input(c)] != most; });
  return cells;
}

namespace {

// Whether an input was chosen for what it does to some rung, rather than for what most callers have.
bool is_unusual(const CellKey& key) {
  constexpr std::uint64_t usual_bins = 256;
  const bool is_usual_for_some_operation = key.distribution == "uniform" || key.distribution == "digits";
  return !is_usual_for_some_operation || key.bins.value_or(usual_bins) != usual_bins;
}

}  // namespace

std::vector<Cell> of_most_telling_input(std::vector<Cell> cells, const std::map<RungName, std::size_t>& order) {
  const auto input = [](const Cell& c) {
    return std::tuple(rank_of_backend(c.key.backend), c.key.backend, ~c.key.n, rank_of_operator(c.key.op), c.key.op, rank_of_dtype(c.key.dtype),
                      is_unusual(c.key), c.key.distribution, c.key.bins, c.key.contract, c.key.cache);
  };
  const auto best = std::ranges::min_element(cells, std::less{}, [&](const Cell& c) { return std::pair(c.verdict != "pass", input(c)); });
  if (best == cells.end()) return cells;
  std::erase_if(cells, [&, best_input = input(*best)](const Cell& c) { return input(c) != best_input; });
  std::ranges::stable_sort(cells, std::less{}, [&](const Cell& c) { return order.at({c.key.provider, c.key.rung}); });
  return cells;
}

std::size_t rank_of_operation(std::string_view operation) {
  return rank_in(std::array<std::string_view, 6>{"reduce", "sum_of_cubes", "inclusive_scan", "exclusive_scan", "histogram", "dot"}, operation);
}

bool InStudyOrder::operator()(const std::string& a, const std::string& b) const {
  return std::pair(rank_of_operation(a), a) < std::pair(rank_of_operation(b), b);
}

std::size_t rank_of_operator(const std::optional<std::string>& op) {
  constexpr std::array<std::string_view, 6> known{"sum", "product", "min", "max", "logical_or", "logical_and"};
  return rank_in(known, op.value_or(""));
}

std::size_t rank_of_backend(std::string_view backend) {
  return rank_in(std::array<std::string_view, 3>{"cuda", "emulated", "host"}, backend);
}

std::size_t rank_of_dtype(std::string_view dtype) {
  return rank_in(std::array<std::string_view, 4>{"i32", "i64", "f32", "f64"}, dtype);
}

std::optional<double> traffic_over_minimum(const Cell& cell) {
  return quotient(sum(counter<&Counters::global_load_bytes>(cell), counter<&Counters::global_store_bytes>(cell)),
                  static_cast<double>(cell.minimum_bytes));
}

std::optional<double> dram_over_minimum(const Cell& cell) {
  return quotient(sum(counter<&Counters::dram_read_bytes>(cell), counter<&Counters::dram_write_bytes>(cell)),
                  static_cast<double>(cell.minimum_bytes));
}

std::optional<double> sector_use(const Cell& cell) {
  constexpr double sector_bytes = 32;
  const auto use = quotient(sum(counter<&Counters::global_load_bytes>(cell), counter<&Counters::global_store_bytes>(cell)),
                            sum(counter<&Counters::global_load_sectors>(cell), counter<&Counters::global_store_sectors>(cell)));
  return use ? std::optional(*use / sector_bytes) : std::nullopt;
}

std::optional<double> sectors_per_load(const Cell& cell) {
  return quotient(counter<&Counters::global_load_sectors>(cell), counter<&Counters::global_load_requests>(cell));
}

std::optional<double> sectors_per_store(const Cell& cell) {
  return quotient(counter<&Counters::global_store_sectors>(cell), counter<&Counters::global_store_requests>(cell));
}

std::optional<double> wavefronts_per_shared_request(const Cell& cell) {
  return quotient(counter<&Counters::shared_wavefronts>(cell), counter<&Counters::shared_requests>(cell));
}

std::optional<double> barriers_per_block(const Cell& cell) {
  return quotient(counter<&Counters::barriers>(cell), counter<&Counters::blocks>(cell));
}

std::optional<double> barriers_per_thread(const Cell& cell) {
  return cell.counters && cell.counters->barriers_per_thread ? cell.counters->barriers_per_thread : barriers_per_block(cell);
}

std::optional<double> memory_requests(const Cell& cell) {
  return sum(counter<&Counters::global_load_requests>(cell), counter<&Counters::global_store_requests>(cell));
}

}  // namespace ladder::reports
