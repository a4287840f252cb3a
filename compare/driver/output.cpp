#include "compare/driver/output.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "reports/json.hpp"
#include "reports/markdown.hpp"

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

class Compressed {
 public:
  explicit Compressed(const fs::path& file) : path_(file), file_(gzopen(file.c_str(), "wb6")) {
    if (file_ == nullptr) cannot_write(path_);
  }
  ~Compressed() {
    if (file_ != nullptr) gzclose(file_);
  }
  Compressed(const Compressed&) = delete;
  Compressed& operator=(const Compressed&) = delete;

  void write(const std::string& text) {
    if (gzwrite(file_, text.data(), static_cast<unsigned>(text.size())) == 0) cannot_write(path_);
  }
  void finish() {
    if (gzclose(std::exchange(file_, nullptr)) != Z_OK) cannot_write(path_);
  }

 private:
  fs::path path_;
  gzFile file_;
};

// A line for each group in each process, with what its samples have in common, then its samples in the order in which they were taken.
void write_samples(const fs::path& file, const Record& record) {
  Compressed out(file);
  for (std::size_t g = 0; g < record.plan().groups.size(); ++g) {
    for (unsigned process = 0; process < record.races(g).size(); ++process) {
      const Race& race = record.races(g)[process];
      if (!race.done || race.samples.empty()) continue;
      nlohmann::json header = record.plan().request(g, process, {});
      header["backend"] = record.plan().groups[g].backend;
      header.erase("rungs");
      out.write(header.dump() + '\n');
      std::vector<const protocol::Sample*> samples;
      for (const auto& [path, taken] : race.samples)
        for (const auto& sample : taken) samples.push_back(&sample);
      std::ranges::sort(samples, {}, &protocol::Sample::order);
      for (const auto* sample : samples) out.write(nlohmann::json(*sample).dump() + '\n');
    }
  }
  out.finish();
}

}  // namespace

void write_results(const fs::path& folder, reports::Results& results, const Published& published, const Record& record) {
  results.run.id = reports::content_id(results);
  Draft json(folder / "results.json"), report(folder / "report.md"), samples(folder / "samples.jsonl.gz");
  reports::write(results, json.path());
  write_text(report.path(), reports::markdown(results, published));
  write_samples(samples.path(), record);
  samples.keep();  // only when all three could be written
  report.keep();
  json.keep();
}

void write_report(const fs::path& folder, const reports::Results& results, const Published& published) {
  fs::create_directories(folder);
  Draft report(folder / "report.md");
  write_text(report.path(), reports::markdown(results, published));
  report.keep();
}

}  // namespace ladder
