#include "compare/driver/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "compare/driver/errors.hpp"
#include "reports/digest.hpp"
#include "reports/json.hpp"
#include "reports/markdown.hpp"
#include "reports/packed.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& file) {
  throw std::system_error(errno, std::generic_category(), "cannot write " + file.string());
}

// A file under a temporary name, gone again unless it is kept.
class Draft {
 public:
  explicit Draft(const fs::path& target) : target_(target), path_(target.string() + ".part") {}
  ~Draft() {
    std::error_code ignored;
    if (!kept_) fs::remove(path_, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const fs::path& path() const { return path_; }
  void keep() {
    if (std::rename(path_.c_str(), target_.c_str()) != 0) cannot_write(target_);
    kept_ = true;
  }

 private:
  fs::path target_, path_;
  bool kept_ = false;
};

void write_text(const fs::path& file, const std::string& text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out) cannot_write(file);
}

// A line for each group in each process, with what its samples have in common, then its samples in the order in which they were taken.
std::string samples_text(const Record& record) {
  std::string text;
  for (std::size_t g = 0; g < record.plan().groups.size(); ++g) {
    for (unsigned process = 0; process < record.races(g).size(); ++process) {
      const Race& race = record.races(g)[process];
      if (!race.done || race.samples.empty()) continue;
      nlohmann::json header = record.plan().request(g, process, {});
      header["backend"] = record.plan().groups[g].backend;
      header.erase("rungs");
      text += header.dump() + '\n';
      std::vector<const protocol::Sample*> samples;
      for (const auto& [path, taken] : race.samples)
        for (const auto& sample : taken) samples.push_back(&sample);
      std::ranges::sort(samples, {}, &protocol::Sample::order);
      for (const auto* sample : samples) text += nlohmann::json(*sample).dump() + '\n';
    }
  }
  return text;
}

}  // namespace

void write_results(const fs::path& folder, reports::Results& results, const Published& published, const Record& record) {
  const std::string all_samples = samples_text(record);
  if (!all_samples.empty()) results.run.samples = reports::sha256(all_samples);
  const std::string text = reports::file_text(results);
  Draft json(folder / "results.json"), report(folder / "report.md"), samples(folder / "samples.jsonl.gz");
  write_text(json.path(), text);
  write_text(report.path(), reports::markdown(results, published));
  write_text(samples.path(), reports::packed(all_samples));
  samples.keep();  // only when all three could be written
  report.keep();
  json.keep();
}

void write_report(const fs::path& folder, const reports::Results& results, const Published& published, const reports::Soundness& soundness) {
  make_folder(folder);
  write_file(folder / "report.md", reports::markdown(results, published, soundness));
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UsageError(fmt::format("cannot make the folder {}: {}; choose another with --out", folder.string(), error.message()));
}

void write_file(const fs::path& file, const std::string& text) {
  Draft draft(file);
  write_text(draft.path(), text);
  draft.keep();
}

}  // namespace ladder
