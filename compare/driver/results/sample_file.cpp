#include "compare/driver/results/sample_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "compare/driver/plan/cell_key.hpp"
#include "compare/driver/terminal/say.hpp"
#include "compare/protocol.hpp"
#include "compare/registry.hpp"
#include "reports/file/gzip.hpp"
#include "reports/file/result_file.hpp"
#include "reports/file/sha256.hpp"
#include "reports/file/strict_json.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/words/names.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t line_limit = 64u << 10;  // a hundred times the longest

// Its message is one sentence without the file's name.
struct Damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A sample as write_results() writes it, but for rare spellings of its time. A full study has half
// a million, and JSON takes five times as long.
std::optional<protocol::Sample> plain_sample(std::string_view line) {
  protocol::Sample sample;
  const auto skip = [&](std::string_view text) {
    const bool is_there = line.starts_with(text);
    line.remove_prefix(is_there ? text.size() : 0);
    return is_there;
  };
  const auto read_number = [&](auto& number) {
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    const std::string_view text(line.data(), static_cast<std::size_t>(end - line.data()));
    line.remove_prefix(text.size());
    // as in JSON
    const bool begins_well = text == "0" || text.starts_with("0.") ||
                             (!text.empty() && '1' <= text.front() && text.front() <= '9');
    return error == std::errc{} && begins_well && text.back() != '.' &&
           text.find_first_not_of("0123456789.") == text.npos;
  };
  const auto read_path = [&] {
    const auto end = std::ranges::find_if(
        line, [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
    sample.path.assign(line.begin(), end);
    line.remove_prefix(sample.path.size());
    return true;
  };
  const bool is_plain = skip(R"({"order":)") && read_number(sample.order) && skip(R"(,"path":")") &&
                        read_path() && skip(R"(","process":)") && read_number(sample.process) &&
                        skip(R"(,"us":)") && read_number(sample.us) && line == "}";
  return is_plain ? std::optional(std::move(sample)) : std::nullopt;
}

// A file as write_results() makes it. Every sample is of a row of the results, and within one of
// the run's rules, which bounds what is kept.
class SampleFile {
 public:
  explicit SampleFile(const reports::Results& results)
      : run_(results.run), samples_(results.cells.size()) {
    for (std::size_t i = 0; i < results.cells.size(); ++i) cells_.emplace(results.cells[i], i);
  }

  void read(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (line.size() > line_limit)
        throw Damaged(fmt::format("line {} is longer than any sample", number));
      const std::string why = take(line, text.empty());
      if (!why.empty()) throw Damaged(fmt::format("line {} makes no sense: {}", number, why));
    }
  }

  reports::Samples of_cells() && { return std::move(samples_); }

 private:
  // Returns why the line makes no sense; empty where it does.
  std::string take(std::string_view line, bool is_last) {
    try {
      if (const auto sample = plain_sample(line)) add_sample(*sample);
      else if (const json document = reports::strict_json(line); document.contains("path"))
        add_sample(read_whole<protocol::Sample>(document));
      else begin_group(document);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const nlohmann::json::exception&) {
      return "a field is missing, or not what it should be";
    } catch (const std::exception& problem) {  // of the protocol
      return problem.what();
    }
    return is_last && order_ == 0 ? without_samples : "";
  }

  // Reading alone passes over fields that it does not know.
  template <class Message>
  static Message read_whole(const json& document) {
    auto message = document.get<Message>();
    if (json(message).flatten().size() != document.flatten().size())
      throw std::invalid_argument("an unknown field");
    return message;
  }

  void begin_group(json header) {
    if (!groups_.empty() && order_ == 0) throw std::invalid_argument(without_samples);
    const auto backend = header.at("backend").get<reports::Backend>();
    header.erase("backend");
    header["rungs"] = json::array();  // left out in the file
    const auto request = read_whole<protocol::MeasureRequest>(header);
    if (request.problem.seed != run_.seed)
      throw std::invalid_argument("a group with another seed than the run");
    if (request.counters) throw std::invalid_argument("a group that is not timed as it should be");
    group_ = key_of(request.problem, {backend, request.contract, request.cache});
    process_ = request.process, most_ = request.max_samples, order_ = 0;
    rungs_.clear();
    if (!groups_.emplace(group_, process_).second)
      throw std::invalid_argument("a group that appears twice");
    const auto is_its = [&](const reports::Effort& e) {
      return std::tuple(e.backend, e.min_samples, e.max_samples, e.max_seconds) ==
                 std::tuple(backend, request.min_samples, request.max_samples,
                            request.max_seconds) &&
             process_ < e.processes;
    };
    if (std::ranges::none_of(run_.efforts, is_its))
      throw std::invalid_argument("a group whose rule is not in /run/efforts");
  }

  void add_sample(const protocol::Sample& sample) {
    if (groups_.empty()) throw std::invalid_argument("a sample before any group");
    if (!std::isfinite(sample.us) || sample.us <= 0)
      throw std::invalid_argument("a sample without a time");
    if (sample.process != process_)
      throw std::invalid_argument("a sample of another process than its group");
    if (sample.order != order_++) throw std::invalid_argument("not the next sample of its group");
    std::vector<double>& its = of_rung(sample.path);
    if (its.size() == most_)
      throw std::invalid_argument(fmt::format("more than {} samples of {}", most_, sample.path));
    its.push_back(sample.us);
  }

  // The samples of this rung in the current group and process.
  std::vector<double>& of_rung(const std::string& path) {
    std::vector<double>*& its = rungs_[path];
    if (its != nullptr) return *its;
    group_.who = {std::string(provider_of(path)), std::string(rung_of(path))};
    reports::CellKey reference = group_;
    reference.input = group_input(group_.input);
    auto cell = cells_.find(group_);
    if (cell == cells_.end()) cell = cells_.find(reference);
    if (cell == cells_.end())
      throw std::invalid_argument(
          fmt::format("a sample of {}, which is no row of the results", cell_name(group_)));
    return *(its = &samples_[cell->second][process_]);
  }

  static constexpr const char* without_samples = "a group without a sample";

  const reports::Run& run_;
  std::map<reports::CellKey, std::size_t> cells_;
  reports::Samples samples_;
  std::set<std::pair<reports::CellKey, unsigned>> groups_;  // met so far; without who
  reports::CellKey group_;
  unsigned process_ = 0, most_ = 0, order_ = 0;
  std::map<std::string, std::vector<double>*> rungs_;  // of the group, by path
};

reports::Samples samples_of(std::string_view text, const reports::Results& results) {
  SampleFile samples(results);
  samples.read(text);
  return std::move(samples).of_cells();
}

}  // namespace

reports::SamplesReader samples_in(std::string_view text) {
  return [text](const reports::Results& results,
                reports::Soundness& found) -> std::optional<reports::Samples> {
    found.samples = reports::SamplesRead::yes;
    try {
      return samples_of(text, results);
    } catch (const Damaged& problem) {
      found.errors.push_back({"the samples", problem.what()});
      found.samples = reports::SamplesRead::refused;
      return {};
    }
  };
}

std::string samples_text_beside(const fs::path& set) {
  const fs::path file = set.parent_path() / samples_name;
  try {
    return fs::exists(fs::symlink_status(file)) ? reports::read_packed(file, most_samples) : "";
  } catch (const reports::Unreadable& problem) {
    throw reports::BadFile(fmt::format("{}: {}; name a set whose samples can be read",
                                       reports::printable(file.string()), problem.what()));
  }
}

reports::SamplesReader samples_beside(const fs::path& set) {
  return [file = set.parent_path() / samples_name](
             const reports::Results& results,
             reports::Soundness& found) -> std::optional<reports::Samples> {
    found.samples = reports::SamplesRead::yes;
    const auto complain = [&](const std::string& what) {
      found.errors.push_back({file.string(), what});
      found.samples = reports::SamplesRead::refused;
    };
    try {
      if (fs::exists(fs::symlink_status(file))) {
        const std::string text = reports::read_packed(file, most_samples);
        if (reports::sha256(text) == results.run.samples.value_or(reports::sha256("")))
          return samples_of(text, results);
        complain("their hash is not the one in /run/samples");
        return {};
      }
      found.samples = reports::SamplesRead::absent;
      if (results.run.samples)
        found.warnings.push_back(
            {file.string(), "there is no such file, so no time was checked against its samples"});
    } catch (const reports::TooLarge& problem) {
      throw reports::BadFile(fmt::format("{}: {}; name a set without it",
                                         reports::printable(file.string()), problem.what()));
    } catch (const Damaged& problem) {
      complain(problem.what());
    } catch (const reports::Unreadable& problem) {
      complain(problem.what());
    } catch (const fs::filesystem_error& problem) {
      complain(problem.code().message());
    }
    return {};
  };
}

std::string first_error(const reports::Soundness& found) {
  const auto& [where, what] = found.errors.at(0);
  return reports::printable(where + ": " + what);
}

reports::Soundness judge(const fs::path& file, const reports::Results& results) {
  auto found = [&] {
    try {
      return reports::soundness(results, samples_beside(file));
    } catch (const reports::BadFile& problem) {  // no reason to leave the results unread
      say("{}", problem.what());
      return reports::soundness(results);
    }
  }();
  if (!found.sound()) say("{} is not sound; ./ladder check says why", file.string());
  return found;
}

}  // namespace ladder
