#include "compare/driver/results/write_result_set.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <system_error>
#include <utility>

#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/say.hpp"
#include "reports/file/compression.hpp"
#include "reports/file/result_file.hpp"
#include "reports/file/sha256.hpp"
#include "reports/model/json.hpp"

namespace ladder {
namespace {

// one of them makes a set of all
constexpr std::array result_names{"results.json", "results.json.bz2"};
constexpr const char* pages_name = "report";

fs::path previous_in(const fs::path& folder) {
  return folder / "previous";
}

// What belongs to a set in this folder, and may be there: its result files, which make it a set,
// and then its samples, its report, and the pages of that.
std::vector<fs::path> names_in(const fs::path& folder) {
  std::vector<fs::path> names(result_names.begin(), result_names.end());
  names.insert(names.end(), {samples_name, "report.md", "report.html", "reproduction.txt"});
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / pages_name, none))
    if (entry.path().extension() == ".md") names.push_back(pages_name / entry.path().filename());
  return names;
}

using Drafts = std::vector<std::unique_ptr<Draft>>;

Drafts drafted(const fs::path& folder, const reports::Files& files) {
  Drafts drafts;
  for (const auto& [name, text] : files) {
    if (const fs::path below = fs::path(name).parent_path(); !below.empty()) {
      require_folder(folder / below);
      fs::create_directory(folder / below);
    }
    drafts.push_back(std::make_unique<Draft>(folder / name, text));
  }
  return drafts;
}

// A line for each group in each process: what its samples have in common, then the times of each
// rung, in the order in which they were taken.
std::string samples_text(const Record& record) {
  std::string text;
  for (std::size_t g = 0; g < record.plan().groups.size(); ++g) {
    for (unsigned process = 0; process < record.contests(g).size(); ++process) {
      const Contest& contest = record.contests(g)[process];
      if (!contest.done || contest.samples.empty()) continue;
      json line = record.plan().request(g, process, {});
      line["backend"] = record.plan().groups[g].backend;
      line.erase("rungs");
      for (const auto& [path, taken] : contest.samples)
        line["us"][path] = reports::each(taken, &protocol::Sample::us);
      text += line.dump() + '\n';
    }
  }
  return text;
}

bool holds_results(const fs::path& folder) {
  return std::ranges::any_of(result_names,
                             [&](const char* name) { return fs::exists(folder / name); });
}

// The set that a new one replaces is kept, unless this run wrote it, the same is merged again, or
// it is unfinished and a finished one would go for it.
Earlier what_becomes_of_the_earlier(const fs::path& folder, const std::string& id,
                                    const Record* record) {
  try {
    for (const char* name : result_names) {
      if (!fs::exists(folder / name)) continue;
      const json run = reports::read_document(folder / name).at("run");
      const bool gives_way = !run.at("complete").get<bool>() && holds_results(previous_in(folder));
      const auto its_id = run.at("id").get<std::string>();
      if (!gives_way && (record == nullptr ? its_id != id : !record->wrote(its_id)))
        return Earlier::set_aside;
    }
  } catch (const std::exception&) {  // a set of another version, or a damaged one: whoever has it
                                     // may want it
    return Earlier::set_aside;
  }
  return Earlier::replaced;
}

void remove_all(const fs::path& folder, const std::vector<fs::path>& names,
                const std::function<void()>& after_each_step) {
  for (const fs::path& name : names) {
    fs::remove(folder / name);
    after_each_step();
  }
}

// previous/ is without a result file, and so without a set, until all others of the earlier set are
// there.
void copy_to_previous(const fs::path& folder, const std::function<void()>& after_each_step) {
  const fs::path previous = previous_in(folder);
  fs::create_directories(previous / pages_name);
  remove_all(previous, names_in(previous), after_each_step);
  auto names = names_in(folder);
  std::ranges::reverse(names);
  for (const fs::path& name : names) {
    if (!fs::exists(folder / name)) continue;
    fs::copy_file(folder / name, previous / name);
    sync(previous / name);
    after_each_step();
  }
  sync(previous / pages_name);
  sync(previous);
}

}  // namespace

void require_room_for_results(const fs::path& folder) {
  const fs::path previous = previous_in(folder);
  require_folder(previous);
  for (const fs::path& place : {folder, previous}) {
    require_folder(place / pages_name);
    for (const fs::path& name : names_in(place)) require_regular_file(place / name);
  }
}

// Whatever ends the program between two steps, every command reads the earlier set, or the new one,
// or says that the set is incomplete: it is its result file that makes it a set, which goes before
// any other file changes, and comes when all others are there.
void put_in_place(const fs::path& folder, const std::string& results, const reports::Files& others,
                  Earlier earlier, const std::function<void()>& after_each_step) {
  require_room_for_results(folder);
  Drafts drafts = drafted(folder, others);
  drafts.push_back(std::make_unique<Draft>(folder / result_names[0], results));
  after_each_step();
  auto going = names_in(folder);
  if (earlier == Earlier::set_aside) copy_to_previous(folder, after_each_step);
  else going.resize(result_names.size());
  remove_all(folder, going, after_each_step);
  sync(folder);
  for (const auto& draft : drafts) {
    draft->keep();
    after_each_step();
  }
  sync(folder / pages_name);
  sync(folder);
}

Set set_of(reports::Results& results, const Record& record) {
  return set_of(results, samples_text(record));
}

Set set_of(reports::Results& results, std::string samples) {
  Set set{.results = {}, .samples = std::move(samples), .soundness = {}};
  if (!set.samples.empty()) results.run.samples = reports::sha256(set.samples);
  const json document = reports::document_of(results);
  set.soundness = reports::soundness(document, samples_in(set.samples));
  if (!set.soundness.fits_schema) return set;
  results = document.get<reports::Results>();
  set.results = reports::file_text(document);
  return set;
}

void write_results(const fs::path& folder, const reports::Results& results, const Set& set,
                   const Published& published, Record* record) {
  const Earlier earlier = what_becomes_of_the_earlier(folder, results.run.id, record);
  // before: so that a run that goes on knows its own set
  if (record != nullptr) record->add(event::Written{results.run.id, false});
  auto others = reports::report_files({results, published, set.soundness});
  others[samples_name] = reports::packed(set.samples);
  put_in_place(folder, set.results, others, earlier);
  if (earlier == Earlier::set_aside)
    say("the earlier set is kept in {}", previous_in(folder).string());
  if (record != nullptr && results.run.complete) record->add(event::Written{results.run.id, true});
}

void write_report(const fs::path& folder, const reports::Files& report) {
  make_folder(folder);
  try {
    for (const auto& one : drafted(folder, report)) one->keep();
  } catch (const std::system_error& problem) {
    throw UsageError("{}; choose another folder with --out", words_of(problem));
  }
  sync(folder);
}

reports::Pictures pictures_in(const fs::path& folder) {
  constexpr std::size_t most_of_specification = 16 << 20;
  reports::Pictures pictures;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / "figures", none)) {
    const fs::path& picture = entry.path();
    if (picture.extension() != ".svg") continue;
    for (const char* ending : {".vl.json.bz2", ".vl.json"}) {
      const fs::path specification = fs::path(picture).replace_extension(ending);
      if (!fs::is_regular_file(specification, none)) continue;
      try {
        pictures[picture.stem()] = reports::read_packed(specification, most_of_specification);
      } catch (const reports::Unreadable&) {
        // then nobody knows what the picture is of
      }
    }
  }
  return pictures;
}

}  // namespace ladder
