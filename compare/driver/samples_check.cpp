#include "compare/driver/samples_check.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "compare/contract.hpp"
#include "compare/driver/timing.hpp"
#include "compare/protocol.hpp"
#include "reports/statistics.hpp"
#include "reports/digest.hpp"
#include "reports/json.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t size_limit = 512u << 20;  // uncompressed: about ten times a full study; a few bytes can be made to unpack to anything
constexpr std::size_t line_limit = 64u << 10;   // a hundred times the longest; bounds what nesting costs

// Its message is one sentence without the file's name.
struct Damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Unpacked {
 public:
  explicit Unpacked(const fs::path& file) : file_(fs::is_regular_file(file) ? gzopen(file.c_str(), "rb") : nullptr) {
    if (file_ == nullptr) throw Damaged("it cannot be read");
  }
  ~Unpacked() { gzclose(file_); }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  std::string text() {
    std::string all, piece(1u << 20, '\0');
    while (true) {
      const int n = gzread(file_, piece.data(), static_cast<unsigned>(piece.size()));
      int error = Z_OK;
      gzerror(file_, &error);
      if (n < 0 || (n == 0 && error != Z_OK)) throw Damaged("it is damaged or cut off");
      if (n == 0) return all;
      all.append(piece, 0, static_cast<std::size_t>(n));
      if (all.size() > size_limit) throw Damaged(fmt::format("it unpacks to more than {} MiB, which no samples do", size_limit >> 20));
    }
  }

 private:
  gzFile file_;
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
    const auto backend = header.at("backend").get<std::string>();
    header.erase("backend");
    header["rungs"] = json::array();  // left out in the file
    const auto request = header.get<protocol::MeasureRequest>();
    group_ = key_of(request.problem, backend, request.contract, request.cache);
    process_ = request.process;
  }

  void add_sample(const protocol::Sample& sample) {
    if (group_.backend.empty()) throw std::invalid_argument("a sample before any group");
    if (!std::isfinite(sample.us) || sample.us <= 0) throw std::invalid_argument("a sample of no time");
    group_.provider = provider_of(sample.path);
    group_.rung = rung_of(sample.path);
    taken_[group_][process_].push_back(sample.us);
  }

  reports::CellKey group_;
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

// What the row's time says otherwise than its samples do. Empty: nothing.
std::string contradiction(const reports::Time& claimed, const std::map<unsigned, std::vector<double>>* by_process) {
  if (by_process == nullptr) return "there is a time, and no sample of it";
  ProcessMedians medians;
  std::vector<double> samples;
  for (const auto& [process, times] : *by_process) {
    medians[process] = statistics::median(times);
    samples.insert(samples.end(), times.begin(), times.end());
  }
  const json made = time_of(medians, std::move(samples), claimed.converged), given = claimed;
  for (const auto& [name, value] : made.items()) {
    if (!value.is_number()) continue;  // what is of no sample
    if (!reports::agree(value.get<double>(), given.at(name).get<double>()))
      return fmt::format("time_us/{} is {}, its samples make {}", name, given.at(name).dump(), value.dump());
  }
  return "";
}

std::vector<reports::Problem> contradictions(const SampleLines& samples, const reports::Results& results) {
  std::vector<reports::Problem> all;
  for (std::size_t i = 0; i < results.cells.size(); ++i) {
    const reports::Cell& cell = results.cells[i];
    if (!cell.time_us) continue;
    if (auto what = contradiction(*cell.time_us, samples.of(cell.key)); !what.empty()) all.push_back({place_of(results, i), std::move(what)});
  }
  return all;
}

}  // namespace

std::vector<reports::Problem> samples_problems(const fs::path& file, const reports::Results& results) {
  try {
    const std::string text = Unpacked(file).text();
    if (reports::sha256(text) != results.run.samples.value_or(reports::sha256(""))) throw Damaged("they are not those that /run/samples names");
    return contradictions(parsed(text), results);
  } catch (const Damaged& problem) {
    return {{file.string(), problem.what()}};
  } catch (const fs::filesystem_error& problem) {
    return {{file.string(), problem.code().message()}};
  }
}

}  // namespace ladder
