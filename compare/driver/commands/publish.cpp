#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <system_error>

#include "compare/driver/commands/commands.hpp"
#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/places.hpp"
#include "reports/file/compression.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/report.hpp"
#include "reports/publish/publication.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"

namespace ladder {
namespace {

// Whether its command, or that of every shard it is merged from, has these words (a regex).
bool has_words(const reports::Results& results, const std::string& words) {
  const auto has = [pattern = std::regex(words)](const std::string& command) {
    return std::regex_search(command, pattern);
  };
  if (results.merged.empty()) return has(results.run.command);
  return std::ranges::all_of(results.merged,
                             [&](const reports::MergedShard& shard) { return has(shard.command); });
}

bool is_whole(const reports::Results& results) {
  return !has_words(results,
                    " --(operation|operator|rung|provider|dtype|size|distribution|bins|offset|"
                    "contract|cache)[ =]");
}

bool is_full_study(const reports::Results& results) {
  return has_words(results, "--preset[ =]full( |$)") && is_whole(results);
}

// Its preset is that of devices, where no other is named.
bool is_study_of_devices(const reports::Results& results) {
  return has_words(results, "--devices[ =]") &&
         !has_words(results, "--preset[ =](?!devices( |$))") && is_whole(results);
}

bool has_counters(const reports::Results& results) {
  return std::ranges::any_of(results.cells, [](const reports::Cell& cell) {
    return cell.how.backend == reports::Backend::cuda && cell.counters() != nullptr;
  });
}

bool counts_without_a_gpu(const reports::Results& results) {
  return std::ranges::any_of(results.cells, [](const reports::Cell& cell) {
    return cell.how.backend == reports::Backend::emulated;
  });
}

// One sentence for each thing that keeps it from being published.
std::vector<std::string> faults_of(const GivenSet& set) {
  const reports::Soundness& found = set.soundness;
  std::vector<std::string> all;
  if (!found.sound())
    all.push_back(
        fmt::format("not sound ({}); ./ladder check lists all errors", first_error(found)));
  if (!found.fits_schema) return all;
  std::ranges::copy(reports::unpublishable(set.results), std::back_inserter(all));
  if (set.results.run.samples && set.samples.empty())
    all.push_back(fmt::format("without its samples: there is no {} beside it", samples_name));
  if (!counts_without_a_gpu(set.results))
    all.emplace_back(
        "without the counts of the emulated backend: run it with --backend cuda,emulated");
  return all;
}

// "NVIDIA GeForce RTX 4090" -> "geforce_rtx_4090", and two of them "geforce_rtx_4090_x2"
std::string folder_of(const reports::Machine& machine) {
  const std::string& name = machine.gpu->name;
  return reports::as_file_name(name.starts_with("NVIDIA ") ? name.substr(7) : name) +
         (machine.further_gpus.empty() ? "" : fmt::format("_x{}", 1 + machine.further_gpus.size()));
}

std::uintmax_t bytes_in(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  std::error_code none;
  for (const auto& file : fs::recursive_directory_iterator(folder, none))
    if (file.is_regular_file()) bytes += file.file_size();
  return bytes;
}

using Files = std::map<fs::path, std::string>;

void add(Files& files, const fs::path& folder, const GivenSet& set) {
  files[folder / "results.json.bz2"] = reports::packed(reports::file_text(set.document));
  if (!set.samples.empty()) files[folder / samples_name] = reports::packed(set.samples);
}

}  // namespace

int publish_command(const std::vector<fs::path>& given) {
  std::vector<std::string> faults;
  const GivenSet *study = nullptr, *counters = nullptr;
  std::vector<GivenSet> sets;
  sets.reserve(given.size());
  for (const fs::path& one : given) {
    GivenSet& set = sets.emplace_back(read_set(one));
    for (const std::string& fault : faults_of(set))
      faults.push_back(fmt::format("{}: {}", reports::printable(one.string()), fault));
    const bool is_study = is_full_study(set.results) || is_study_of_devices(set.results);
    (is_study ? study : counters) = &set;
  }
  if (study == nullptr)
    faults.emplace_back(
        "none of them is a full study: ./ladder run --backend cuda,emulated --preset full --out "
        "DIR makes one, or of several GPUs ./ladder run --backend cuda,emulated --devices 2 --out "
        "DIR");
  else if (is_full_study(study->results) && !has_counters(study->results) &&
           (counters == nullptr || !has_counters(counters->results)))
    faults.emplace_back(
        "without the counters of the GPU: ./ladder run --backend cuda,emulated --preset counters "
        "--counters --out DIR reads them");
  const auto origin = [](const GivenSet& set) {
    return std::pair(set.results.run.commit,
                     set.results.machine.gpu ? set.results.machine.gpu->name : "");
  };
  if (sets.size() > 2 || (sets.size() == 2 && (study == nullptr || counters == nullptr ||
                                               origin(sets[0]) != origin(sets[1]))))
    faults.emplace_back(
        "one must be a full study and the other a run with counters, of the same commit and kind "
        "of GPU");

  const reports::Publication publication(checkout());
  Files files;
  fs::path folder;
  if (faults.empty()) {
    folder = publication.folder() / folder_of(study->results.machine);
    if (std::error_code unknown; fs::exists(folder, unknown))
      throw UsageError("{} already exists; remove it first to publish another set of this GPU",
                       folder.string());
    for (auto& [name, text] : reports::report_files(study->results)) files[folder / name] = text;
    add(files, folder, *study);
    if (counters != nullptr) add(files, folder / "counters", *counters);
    std::uintmax_t bytes = bytes_in(publication.folder());
    for (const auto& [file, text] : files) bytes += text.size();
    if (bytes > reports::most_published_bytes)
      faults.push_back(fmt::format(
          "too large: with it all published files take {:.1f} MB, and {:.0f} MB are allowed",
          static_cast<double>(bytes) / 1e6,
          static_cast<double>(reports::most_published_bytes) / 1e6));
  }
  if (!faults.empty()) {
    fmt::print("it cannot be published:\n");
    for (const std::string& fault : faults) fmt::print("  {}\n", fault);
    return 1;
  }
  for (const auto& [file, text] : files) {
    fs::create_directories(file.parent_path());
    write_file(file, text);
  }
  const reports::Publication with_it(checkout());
  for (const auto& [file, text] : with_it.of_all()) write_file(file, text);
  fmt::print("{}: {}\n{}: the list of all sets\n", reports::printable(folder.string()),
             reports::counted(files.size(), "file"),
             reports::printable((with_it.folder() / "README.md").string()));
  return 0;
}

}  // namespace ladder
