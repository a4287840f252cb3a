#include "reports/soundness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/cell_rules.hpp"
#include "reports/derive.hpp"
#include "reports/json.hpp"
#include "reports/ladder.hpp"
#include "reports/order.hpp"
#include "reports/schema.hpp"

namespace ladder::reports {
namespace {

bool is_digest(const std::string& text) {
  return text.size() == 7 + 64 && text.starts_with("sha256:") && text.find_first_not_of("0123456789abcdef", 7) == text.npos;
}

void check_run(const Results& results, Soundness& found) {
  const Run& run = results.run;
  if (run.dirty) found.warnings.push_back({"/run/dirty", "the sources differed from their commit, so nobody else can build them"});
  if (run.commit == "unknown") found.warnings.push_back({"/run/commit", "the commit of the sources is unknown"});
  if (!run.complete) found.warnings.push_back({"/run/complete", "the run was interrupted: rows, or measuring processes of rows, are missing"});
  if (results.cells.empty()) found.warnings.push_back({"/cells", "there are none"});
  const bool timed = std::ranges::any_of(results.cells, [](const Cell& c) { return c.timing() != nullptr; });
  if (timed && !run.samples) found.errors.push_back({"/run/samples", "there are times, but no samples of them"});
  if (run.samples && !is_digest(*run.samples)) found.errors.push_back({"/run/samples", "it is not a SHA-256"});
}

// The peak is by definition two transfers for each clock on every wire of the bus.
void check_gpu(const Results& results, Soundness& found) {
  if (!results.machine.gpu) return;
  const Gpu& gpu = *results.machine.gpu;
  const double peak = 2 * gpu.memory_clock_mhz * 1e6 * gpu.memory_bus_bits / 8 / 1e9;
  if (!agree(gpu.datasheet_gbps, peak))
    found.errors.push_back({"/machine/gpu/datasheet_gbps", fmt::format("it is {}, memory clock and bus width make {}", gpu.datasheet_gbps, peak)});
  for (std::size_t i = 0; i < results.ceilings.size(); ++i) {
    const Ceiling& c = results.ceilings[i];
    if (c.backend == Backend::cuda && c.memory == Memory::dram && c.bandwidth_gbps > peak)  // no error: a cache may have taken the last of the writes
      found.warnings.push_back({fmt::format("/ceilings/{}", i), fmt::format("{} GB/s is above the datasheet peak, {}", c.bandwidth_gbps, peak)});
  }
}

}  // namespace

bool agree(double a, double b) {
  return std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

std::string place_of(const Results& results, std::size_t cell) {
  return fmt::format("/cells/{} ({})", cell, cell_name(results.cells[cell]));
}

namespace {

// What must be moved belongs to the input, whoever moves it. 0: no row of it got as far.
void check_minimum_bytes(const std::vector<Cell>& cells, const auto& complain) {
  std::map<Input, Bytes> known;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Bytes& bytes = cells[i].minimum_bytes;
    if (bytes == Bytes{}) continue;
    if (const auto first = known.emplace(cells[i].input, bytes).first->second; first != bytes)
      complain(i, fmt::format("minimum_bytes is {} and {}, and {} and {} in another row of this input", bytes.read, bytes.written, first.read,
                              first.written));
  }
}

// Every cell is of an operation and a rung that the file describes.
void check_described(const Results& results, const auto& complain) {
  const Order order(results);
  for (std::size_t i = 0; i < results.cells.size(); ++i) {
    if (operation_of(results.cells[i].input, results) == nullptr) complain(i, "its operation is not among /operations");
    if (order.card(results.cells[i]) == nullptr) complain(i, "its rung is not among /rungs");
  }
}

// Where two documents of one shape first differ. Empty: nowhere.
std::string first_difference(const nlohmann::json& claimed, const nlohmann::json& made, const std::string& at) {
  if (claimed.is_number() && made.is_number() && agree(claimed.get<double>(), made.get<double>())) return {};
  if (claimed.is_object() && made.is_object()) {
    for (const auto& [name, value] : made.items())
      if (auto found = first_difference(claimed.value(name, nlohmann::json()), value, at.empty() ? name : fmt::format("{}/{}", at, name));
          !found.empty())
        return found;
    return {};
  }
  if (claimed == made) return {};
  return fmt::format("{} is {}, the medians of the processes make {}", at, claimed.dump(), made.dump());
}

// Every interval, bandwidth, percentage and ratio is what follows from the medians of the processes.
void check_derived(const Results& results, const auto& complain) {
  Results made = results;
  derive(made);
  for (std::size_t i = 0; i < results.cells.size(); ++i) {
    const Cell &claimed = results.cells[i], &again = made.cells[i];
    if (claimed.timing() == nullptr) continue;
    const nlohmann::json a = *claimed.timing(), b = *again.timing();
    if (auto what = first_difference(a, b, ""); !what.empty()) complain(i, std::move(what));
    else if (has_flag(claimed, "above_ceiling") != has_flag(again, "above_ceiling"))
      complain(i, "the flag above_ceiling and percent_of_ceiling disagree");
  }
}

}  // namespace

Soundness soundness(const Results& results) {
  Soundness found;
  found.rows = results.cells.size();
  check_run(results, found);
  check_gpu(results, found);
  const auto complain = [&](std::size_t cell, std::string what) { found.errors.push_back({place_of(results, cell), std::move(what)}); };
  check_minimum_bytes(results.cells, complain);
  check_described(results, complain);
  for (CellViolation& violation : cell_violations(results.cells)) complain(violation.cell, std::move(violation.what));
  for (std::size_t i = 0; i < results.cells.size(); ++i)
    for (std::string& what : broken_rules(results.cells[i], results)) complain(i, std::move(what));
  check_derived(results, complain);
  return found;
}

Soundness soundness(const nlohmann::json& document) {
  Soundness found;
  if (auto what = shape_violation(document); !what.empty()) {
    found.errors.push_back({"the schema", std::move(what)});
    found.fits_schema = false;
    return found;
  }
  const auto results = document.get<Results>();
  found = soundness(results);
  if (results.run.id != content_id(document))
    found.errors.insert(found.errors.begin(), {"/run/id", "it is not the hash of the content, which was changed after the run"});
  return found;
}

}  // namespace ladder::reports
