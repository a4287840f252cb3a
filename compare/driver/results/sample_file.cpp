#include "compare/driver/results/sample_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "compare/driver/disk/find_result_file.hpp"
#include "compare/driver/plan/cell_key.hpp"
#include "compare/driver/terminal/say.hpp"
#include "compare/protocol.hpp"
#include "compare/registry.hpp"
#include "reports/file/compression.hpp"
#include "reports/file/result_file.hpp"
#include "reports/file/sha256.hpp"
#include "reports/file/strict_json.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/words/names.hpp"

namespace ladder {
namespace {

constexpr std::size_t line_limit = 1u << 20;  // ten times the longest

// A sample in a file from before December 2026, which has a line for each: written again it is the
// same line. JSON takes five times as long.
std::optional<protocol::Sample> plain_sample(const std::string& line) {
  protocol::Sample sample;
  std::array<char, 256> path;
  if (std::sscanf(line.c_str(), R"({"order":%u,"path":"%255[A-Za-z0-9_/]","process":%u,"us":%lf})",
                  &sample.order, path.data(), &sample.process, &sample.us) != 4)
    return {};
  sample.path = path.data();
  const bool is_plain =
      line == fmt::format(R"({{"order":{},"path":"{}","process":{},"us":{}}})", sample.order,
                          sample.path, sample.process, json(sample.us).dump());
  return is_plain ? std::optional(std::move(sample)) : std::nullopt;
}

// A file as write_results() makes it. Every sample is of a row of the results, and within one of
// the run's rules, which bounds what is kept.
class SampleFile {
 public:
  explicit SampleFile(const reports::Results& results)
      : run_(results.run), samples_(results.cells.size() + results.limits.size()) {
    std::size_t i = 0;
    for (const reports::PlacedCell& cell : placed_cells(results)) cells_.emplace(*cell, i++);
  }

  void read(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (line.size() > line_limit)
        throw reports::Unreadable("line {} is longer than any sample", number);
      const std::string why = take(line, text.empty());
      if (!why.empty()) throw reports::Unreadable("line {} makes no sense: {}", number, why);
    }
  }

  reports::Samples of_cells() && { return std::move(samples_); }

 private:
  // Returns why the line makes no sense; empty where it does.
  std::string take(std::string_view line, bool is_last) {
    try {
      if (const auto sample = plain_sample(std::string(line))) add_sample(*sample);
      else begin_group(reports::strict_json(line));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const json::exception&) {
      return "a field is missing, or not what it should be";
    } catch (const std::exception& problem) {  // of the protocol
      return problem.what();
    }
    return is_last && samples_of_group_ == 0 ? without_samples : "";
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
    if (!groups_.empty() && samples_of_group_ == 0) throw std::invalid_argument(without_samples);
    const auto times = header.value("us", std::map<std::string, std::vector<double>>());
    const auto backend = header.at("backend").get<reports::Backend>();
    header.erase("backend"), header.erase("us");
    header["rungs"] = json::array();  // left out in the file
    const auto request = read_whole<protocol::MeasureRequest>(header);
    if (request.problem.seed != run_.seed)
      throw std::invalid_argument("a group with another seed than the run");
    if (request.counters) throw std::invalid_argument("a group that is not timed as it should be");
    group_ = key_of(request.problem, {backend, request.contract, request.cache});
    process_ = request.process, most_ = request.max_samples, samples_of_group_ = 0;
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
    for (const auto& [path, its] : times)
      for (const double us : its) add_time(path, us);
  }

  void add_sample(const protocol::Sample& sample) {
    if (groups_.empty()) throw std::invalid_argument("a sample before any group");
    if (sample.process != process_)
      throw std::invalid_argument("a sample of another process than its group");
    if (sample.order != samples_of_group_)
      throw std::invalid_argument("not the next sample of its group");
    add_time(sample.path, sample.us);
  }

  void add_time(const std::string& path, double us) {
    if (!std::isfinite(us) || us <= 0) throw std::invalid_argument("a sample without a time");
    std::vector<double>& its = of_rung(path);
    if (its.size() == most_)
      throw std::invalid_argument(fmt::format("more than {} samples of {}", most_, path));
    its.push_back(us);
    ++samples_of_group_;
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
  unsigned process_ = 0, most_ = 0, samples_of_group_ = 0;
  std::map<std::string, std::vector<double>*> rungs_;  // of the group, by path
};

// Throws reports::Unreadable.
reports::Samples samples_of(std::string_view text, const reports::Results& results,
                            reports::Soundness& found) {
  found.samples = reports::SamplesRead::yes;
  SampleFile samples(results);
  samples.read(text);
  return std::move(samples).of_cells();
}

std::optional<reports::Samples> refused(const std::string& where, const std::string& why,
                                        reports::Soundness& found) {
  found.error(where, "{}", why);
  found.samples = reports::SamplesRead::refused;
  return {};
}

}  // namespace

reports::SamplesReader samples_in(std::string_view text) {
  return [text](const reports::Results& results,
                reports::Soundness& found) -> std::optional<reports::Samples> {
    try {
      return samples_of(text, results, found);
    } catch (const reports::Unreadable& problem) {
      return refused("the samples", problem.what(), found);
    }
  };
}

std::string samples_text_beside(const fs::path& set) {
  const fs::path file = set.parent_path() / samples_name;
  try {
    return fs::exists(fs::symlink_status(file)) ? reports::read_packed(file, most_samples) : "";
  } catch (const reports::Unreadable& problem) {
    throw reports::BadFile("{}: {}; name a set whose samples can be read",
                           reports::printable(file.string()), problem.what());
  }
}

reports::SamplesReader samples_beside(const fs::path& set) {
  return [file = set.parent_path() / samples_name](
             const reports::Results& results,
             reports::Soundness& found) -> std::optional<reports::Samples> {
    try {
      if (fs::exists(fs::symlink_status(file))) {
        const std::string text = reports::read_packed(file, most_samples);
        if (reports::sha256(text) == results.run.samples.value_or(reports::sha256("")))
          return samples_of(text, results, found);
        return refused(file.string(), "their hash is not the one in /run/samples", found);
      }
    } catch (const reports::TooLarge& too_large) {
      throw reports::BadFile("{}: {}; name a set without it", reports::printable(file.string()),
                             too_large.what());
    } catch (const reports::Unreadable& unreadable) {
      return refused(file.string(), unreadable.what(), found);
    } catch (const fs::filesystem_error& unreadable) {
      return refused(file.string(), unreadable.code().message(), found);
    }
    found.samples = reports::SamplesRead::absent;
    if (results.run.samples)
      found.warn(file.string(),
                 "there is no such file, so no time was checked against its samples");
    return {};
  };
}

GivenSet read_set(const fs::path& given) {
  const fs::path file = result_file(given);
  GivenSet set{reports::printable(file.string()),
               reports::read_document(file),
               {},
               samples_text_beside(file),
               {}};
  set.soundness = reports::soundness(set.document, samples_in(set.samples));
  if (set.soundness.fits_schema) set.document.get_to(set.results);
  return set;
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
