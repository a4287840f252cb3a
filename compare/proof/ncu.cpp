#include "compare/proof/ncu.hpp"
#include "compare/driver/terminal/parse_size.hpp"
#include "reports/text/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/tokenizer.hpp>
#include <map>
#include <stdexcept>

namespace ladder::proof {
namespace {

constexpr int no_such_program = 127;  // of a shell
constexpr std::array metrics{"gpu__time_duration.sum", "dram__bytes_read.sum",
                             "dram__bytes_write.sum"};

constexpr double bytes_within = 5;  // per cent
// a cold run of ours first writes back what the flush left in L2; ncu's finds L2 empty
constexpr double duration_within = 0.05;
constexpr double events_us = 2;

std::vector<std::string> parts(const std::string& text, const auto& separator) {
  const boost::tokenizer all(text, separator);
  return {all.begin(), all.end()};
}

std::vector<std::string> lines(std::string_view text) {
  return parts(std::string(text), boost::char_separator<char>("\r\n"));
}

std::vector<std::string> fields(const std::string& line) {
  return parts(line, boost::escaped_list_separator<char>("", ",", "\""));
}

std::size_t column(const std::vector<std::string>& header, const std::string& name) {
  const auto found = std::ranges::find(header, name);
  if (found == header.end()) throw std::invalid_argument("ncu's table has no column " + name);
  return static_cast<std::size_t>(found - header.begin());
}

// "1,073,741,824": some versions group digits.
double number(std::string text) {
  std::erase(text, ',');
  if (const auto value = number_in<double>(text)) return *value;
  throw std::invalid_argument("ncu says \"" + text + "\" where a number should be");
}

// Its units have other names from version to version: "ns" and "nsecond".
void check_unit(const std::string& metric, const std::string& unit) {
  if (!unit.starts_with(metric == metrics[0] ? "ns" : "byte"))
    throw std::invalid_argument(fmt::format("ncu gives {} in {}", metric, unit));
}

struct Row {
  std::string kernel;
  std::map<std::string, double> values;
};

// One line for each launch and metric.
std::map<unsigned long, Row> rows_by_launch(std::string_view log) {
  std::map<unsigned long, Row> launches;
  std::vector<std::string> header;
  for (const std::string& line : lines(log)) {
    if (line.starts_with("\"ID\"")) {
      header = fields(line);
    } else if (!header.empty() && line.starts_with('"')) {
      const auto values = fields(line);
      if (values.size() != header.size())
        throw std::invalid_argument("a line of ncu's table is not as long as its header");
      const std::string& metric = values[column(header, "Metric Name")];
      // advice, which ncu gives beside some
      if (!reports::has(metrics, metric)) continue;
      check_unit(metric, values[column(header, "Metric Unit")]);
      Row& row = launches[std::stoul(values[column(header, "ID")])];
      row.kernel = values[column(header, "Kernel Name")];
      row.values[metric] = number(values[column(header, "Metric Value")]);
    }
  }
  return launches;
}

}  // namespace

std::vector<Launch> read_ncu(std::string_view log) {
  std::vector<Launch> launches;
  for (const auto& [id, row] : rows_by_launch(log)) {
    for (const char* metric : metrics)
      if (!row.values.contains(metric))
        throw std::invalid_argument(fmt::format("ncu has no {} of {}", metric, row.kernel));
    launches.push_back({row.kernel, row.values.at(metrics[0]),
                        row.values.at(metrics[1]) + row.values.at(metrics[2])});
  }
  if (launches.empty()) throw std::invalid_argument("ncu profiled no kernel");
  return launches;
}

std::optional<std::string> why_not_profiled(int exit_code, std::string_view log) {
  if (exit_code == no_such_program) return "there is no ncu here";
  if (log.find("ERR_NVGPUCTRPERM") != log.npos)
    return "this user may not read the GPU's counters (ERR_NVGPUCTRPERM)";
  if (exit_code == 0) return {};
  for (const std::string& line : lines(log))
    if (line.starts_with("==ERROR==")) return "ncu failed: " + line;
  return fmt::format("ncu failed with exit code {}", exit_code);
}

void add_launches(const std::vector<Launch>& launches, std::string_view kernel, unsigned runs,
                  Profiled& profiled) {
  bool any = false;
  for (const Launch& launch : launches) {
    if (launch.kernel.find(kernel) == std::string::npos) continue;
    any = true;
    profiled.ncu_us += launch.ns / 1e3 / runs;
    profiled.counted_bytes += launch.dram_bytes / runs;
  }
  if (!any) throw std::invalid_argument("ncu saw no kernel of " + profiled.name);
}

std::vector<Check> check_profiled(const Profiled& p) {
  const double allowed = events_us + duration_within * p.ncu_us;
  return {{.what = p.name + ": time",
           .asked = fmt::format("{:.5g} us by ncu", p.ncu_us),
           .measured = p.clock_us,
           .unit = "us",
           .at_least = p.ncu_us - allowed,
           .at_most = p.ncu_us + allowed},
          {.what = p.name + ": DRAM bytes that ncu counts, of the formula's",
           .asked = fmt::format("{:.5g} MB", p.formula_bytes / 1e6),
           .measured = 100 * p.counted_bytes / p.formula_bytes,
           .unit = "%",
           .at_least = 100 - bytes_within,
           .at_most = 100 + bytes_within}};
}

std::vector<Check> unprofiled(const std::string& name, const std::string& why) {
  return {{.what = name + ": time", .asked = "time by ncu", .untestable = why},
          {.what = name + ": DRAM bytes that ncu counts, of the formula's",
           .asked = "bytes by ncu",
           .untestable = why}};
}

}  // namespace ladder::proof
