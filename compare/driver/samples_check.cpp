#include "compare/driver/samples_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "compare/contract.hpp"
#include "compare/driver/timing.hpp"
#include "compare/protocol.hpp"
#include "reports/digest.hpp"
#include "reports/json.hpp"
#include "reports/packed.hpp"
#include "reports/statistics.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t size_limit = 512u << 20;  // unpacked: about ten times a full study
constexpr std::size_t line_limit = 64u << 10;   // a hundred times the longest; bounds what nesting costs

// Its message is one sentence without the file's name.
struct Damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The samples of each row in each process, from lines as write_results() makes them.
class SampleLines {
 public:
  void add(const std::string& line) {
    auto document = json::parse(line);
    if (document.contains("path")) add_sample(document.get<protocol::Sample>());
    else begin_group(std::move(document));
  }

  const std::map<unsigned, std::vector<double>>* of(const reports::CellKey& key) const {
    const auto found = taken_.find(key);
    return found == taken_.end() ? nullptr : &found->second;
  }

 private:
  void begin_group(json header) {
    const auto backend = header.at("backend").get<reports::Backend>();
    header.erase("backend");
    header["rungs"] = json::array();  // left out in the file
    const auto request = header.get<protocol::MeasureRequest>();
    group_ = key_of(request.problem, {backend, request.contract, request.cache});
    begun_ = true;
    process_ = request.process;
  }

  void add_sample(const protocol::Sample& sample) {
    if (!begun_) throw std::invalid_argument("a sample before any group");
    if (!std::isfinite(sample.us) || sample.us <= 0) throw std::invalid_argument("a sample of no time");
    group_.who.provider = provider_of(sample.path);
    group_.who.rung = rung_of(sample.path);
    taken_[group_][process_].push_back(sample.us);
  }

  reports::CellKey group_;
  bool begun_ = false;
  unsigned process_ = 0;
  std::map<reports::CellKey, std::map<unsigned, std::vector<double>>> taken_;
};

SampleLines parsed(const std::string& text) {
  SampleLines lines;
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    ++number;
    if (end - start > line_limit) throw Damaged(fmt::format("line {} is longer than any sample", number));
    try {
      lines.add(text.substr(start, end - start));
    } catch (const std::exception& problem) {  // of JSON and of the protocol
      throw Damaged(fmt::format("line {} makes no sense: {}", number, problem.what()));
    }
    start = end + 1;
  }
  return lines;
}

// What the row's time says otherwise than its samples do. Empty: nothing. The interval of several processes follows from their medians, and is
// checked with the file.
std::string contradiction(const reports::Timing& claimed, const std::map<unsigned, std::vector<double>>* by_process) {
  if (by_process == nullptr) return "there is a time, and no sample of it";
  std::vector<double> samples;
  for (const auto& [process, times] : *by_process) {
    const auto its = std::ranges::find(claimed.processes, process, &reports::ProcessMedian::process);
    if (its == claimed.processes.end()) return fmt::format("there are samples of process {}, and no median of it", process);
    if (const double median = statistics::median(times); !reports::agree(median, its->time_us))
      return fmt::format("the median of process {} is {}, its samples make {}", process, its->time_us, median);
    samples.insert(samples.end(), times.begin(), times.end());
  }
  if (by_process->size() != claimed.processes.size()) return "there is a median of a process without samples";
  const json made = time_of(std::move(samples)), given = claimed.time_us;
  for (const auto& [name, value] : made.items()) {
    if (claimed.processes.size() > 1 && (name == "median" || name.starts_with("ci95"))) continue;
    if (!reports::agree(value.get<double>(), given.at(name).get<double>()))
      return fmt::format("time_us/{} is {}, its samples make {}", name, given.at(name).dump(), value.dump());
  }
  return "";
}

std::vector<reports::Problem> contradictions(const SampleLines& samples, const reports::Results& results) {
  std::vector<reports::Problem> all;
  for (std::size_t i = 0; i < results.cells.size(); ++i) {
    const reports::Cell& cell = results.cells[i];
    if (cell.timing() == nullptr) continue;
    if (auto what = contradiction(*cell.timing(), samples.of(cell)); !what.empty()) all.push_back({place_of(results, i), std::move(what)});
  }
  return all;
}

}  // namespace

std::vector<reports::Problem> samples_problems(const fs::path& file, const reports::Results& results) {
  try {
    const std::string text = reports::read_packed(file, size_limit);
    if (reports::sha256(text) != results.run.samples.value_or(reports::sha256(""))) throw Damaged("their hash is not the one in /run/samples");
    return contradictions(parsed(text), results);
  } catch (const Damaged& problem) {
    return {{file.string(), problem.what()}};
  } catch (const reports::Unreadable& problem) {
    return {{file.string(), problem.what()}};
  } catch (const fs::filesystem_error& problem) {
    return {{file.string(), problem.code().message()}};
  }
}

}  // namespace ladder
