#include "reports/numbers/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"

namespace ladder::reports {
namespace {

std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<double> quotient(std::optional<double> above, std::optional<double> below) {
  return above && below && *below > 0 ? std::optional(*above / *below) : std::nullopt;
}

}  // namespace

bool has_flag(const Cell& cell, std::string_view flag) {
  return std::ranges::find(cell.flags, flag) != cell.flags.end();
}

std::string cell_name(const CellKey& key) {
  std::vector<std::string> parts{key.input.operation};
  if (key.input.op) parts.push_back(*key.input.op);
  parts.insert(parts.end(),
               {key.input.dtype, "n = " + elements(key.input.n), key.input.distribution});
  parts.back() += what_few_have(key.input);
  parts.insert(parts.end(),
               {key.who.provider + '/' + key.who.rung, std::string(name_of(key.how.backend))});
  if (key.how.contract) parts.emplace_back(name_of(*key.how.contract));
  if (key.how.cache) parts.emplace_back(name_of(*key.how.cache));
  return printable(joined(parts));
}

std::string what_few_have(const Input& input) {
  return (input.bins ? ", " + counted(*input.bins, "bin", "bins") : "") + displaced(input.offset) +
         over_devices(input.devices, input.process_for_each_device);
}

std::string displaced(unsigned offset) {
  return offset == 0 ? "" : fmt::format(", displaced by {}", offset);
}

std::string over_devices(unsigned devices, bool process_for_each) {
  if (devices == 0) return process_for_each ? ", on each device" : "";
  return fmt::format(", over {}{}", counted(devices, "device", "devices"),
                     process_for_each ? ", in a process each" : "");
}

unsigned most_devices_of(const std::vector<Cell>& cells) {
  unsigned most = 0;
  for (const Cell& c : cells) most = std::max(most, c.input.devices);
  return most;
}

std::string_view mark_of_reference(const Cell& cell, const std::vector<Cell>& beside) {
  return cell.input.devices == 0 && most_devices_of(beside) > 0 ? " (one device)" : "";
}

std::string source_of(const Rung& rung) {
  return rung.from.empty() ? rung.source : fmt::format("The folder {}. {}", rung.from, rung.source);
}

bool has_failed(const Cell& cell) {
  return cell.verdict() == Verdict::fail || cell.verdict() == Verdict::crashed ||
         cell.verdict() == Verdict::timeout;
}

bool is_library(const Cell& cell) {
  return cell.who.provider != "handwritten";
}

bool is_fastest_library(const Cell& cell) {
  return is_library(cell) && cell.timing() != nullptr && cell.timing()->processes.size() >= 2 &&
         !cell.timing()->ratios.vs_fastest_library;
}

HostOnly::HostOnly(const std::vector<Cell>& cells) {
  for (const Cell& c : cells)
    if (c.timing() != nullptr && c.how.backend == Backend::cuda && c.how.contract)
      timed_.emplace(c.input.operation, c.who, *c.how.contract);
}

bool HostOnly::contains(const Cell& cell) const {
  const auto timed = [&](Contract contract) {
    return timed_.contains({cell.input.operation, cell.who, contract});
  };
  return cell.verdict() == Verdict::skipped && cell.how.contract == Contract::device_result &&
         timed(Contract::host_result) && !timed(Contract::device_result);
}

std::string_view HostOnly::instead_of_numbers(const Cell& cell) const {
  return contains(cell) ? "to the host only" : reports::instead_of_numbers(cell.verdict());
}

std::vector<Cell> of_fullest_inputs(std::vector<Cell> cells, double share) {
  const auto is_displaced = [](const Cell& c) { return c.input.offset != 0; };
  if (!std::ranges::all_of(cells, is_displaced)) std::erase_if(cells, is_displaced);
  std::map<Input, std::size_t> passed;
  std::size_t most = 0;
  for (const Cell& c : cells)
    most = std::max(most, passed[group_input(c.input)] += c.passed() ? 1 : 0);
  const double enough = share * static_cast<double>(most);
  std::erase_if(cells, [&](const Cell& c) {
    return static_cast<double>(passed[group_input(c.input)]) < enough;
  });
  return cells;
}

std::vector<Cell> of_most_telling_input(std::vector<Cell> cells, const Order& order) {
  const auto input = [&](const Cell& c) {
    return std::tuple(c.how.backend, c.input.offset, ~c.input.n, order.of_operator(c.input),
                      rank_of_dtype(c.input.dtype), !order.is_usual(c.input),
                      group_input(c.input), c.how);
  };
  const auto best = std::ranges::min_element(
      cells, std::less{}, [&](const Cell& c) { return std::pair(!c.passed(), input(c)); });
  if (best == cells.end()) return cells;
  std::erase_if(cells,
                [&, best_input = input(*best)](const Cell& c) { return input(c) != best_input; });
  sort_as_ladder(cells, order);
  return cells;
}

std::optional<double> traffic_over_minimum(const Cell& cell) {
  return quotient(sum(counter<&Counters::global_load_bytes>(cell),
                      counter<&Counters::global_store_bytes>(cell)),
                  static_cast<double>(cell.minimum_bytes.total()));
}

std::optional<double> dram_over_minimum(const Cell& cell) {
  return quotient(
      sum(counter<&Counters::dram_read_bytes>(cell), counter<&Counters::dram_write_bytes>(cell)),
      static_cast<double>(cell.minimum_bytes.total()));
}

std::optional<double> bytes_between_devices(const Cell& cell) {
  return sum(counter<&Counters::peer_load_bytes>(cell), counter<&Counters::peer_store_bytes>(cell));
}

std::optional<double> sector_use(const Cell& cell) {
  constexpr double sector_bytes = 32;
  const auto use = quotient(sum(counter<&Counters::global_load_bytes>(cell),
                                counter<&Counters::global_store_bytes>(cell)),
                            sum(counter<&Counters::global_load_sectors>(cell),
                                counter<&Counters::global_store_sectors>(cell)));
  return use ? std::optional(*use / sector_bytes) : std::nullopt;
}

std::optional<double> sectors_per_load(const Cell& cell) {
  return quotient(counter<&Counters::global_load_sectors>(cell),
                  counter<&Counters::global_load_requests>(cell));
}

std::optional<double> sectors_per_store(const Cell& cell) {
  return quotient(counter<&Counters::global_store_sectors>(cell),
                  counter<&Counters::global_store_requests>(cell));
}

std::optional<double> wavefronts_per_shared_request(const Cell& cell) {
  return quotient(counter<&Counters::shared_wavefronts>(cell),
                  counter<&Counters::shared_requests>(cell));
}

std::optional<double> barriers_per_block(const Cell& cell) {
  return quotient(counter<&Counters::barriers>(cell), counter<&Counters::blocks>(cell));
}

std::optional<double> barriers_per_thread(const Cell& cell) {
  return cell.counters() && cell.counters()->barriers_per_thread
             ? cell.counters()->barriers_per_thread
             : barriers_per_block(cell);
}

std::optional<double> memory_requests(const Cell& cell) {
  return sum(counter<&Counters::global_load_requests>(cell),
             counter<&Counters::global_store_requests>(cell));
}

}  // namespace ladder::reports
