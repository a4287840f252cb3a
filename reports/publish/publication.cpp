#include "reports/publish/publication.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <system_error>

#include "reports/file/compression.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/html/several_sets.hpp"
#include "reports/formats/report.hpp"
#include "reports/formats/terminal/comparison_text.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/compare_sets.hpp"
#include "reports/publish/headline.hpp"
#include "reports/publish/index.hpp"
#include "reports/targets/targets.hpp"

namespace ladder::reports {
namespace {

// of published figures: a page of a browser, not a column of a paper
constexpr double figure_width_mm = 160;

// What of a page is made from a published set: it stands between two comments, the first of which
// names the set's folder.
struct Generated {
  std::string name;
  fs::path file;
  bool is_mentioned = false;
  std::string source = {};                         // the folder; empty: nothing is made here
  std::string before = {}, text = {}, after = {};  // of the page
};

Generated generated(const fs::path& file, const std::string& name) {
  const std::string page = read_text(file), from = "<!-- " + name + ": generated from ",
                    to = ", do not edit -->\n", end = "<!-- end of " + name + " -->";
  Generated part{name, file, page.find("<!-- " + name) != page.npos || page.find(end) != page.npos};
  const auto source = page.find(from), text = page.find(to, source), last = page.find(end, text);
  if (source == page.npos || text == page.npos || last == page.npos) return part;
  const auto begin = text + to.size();
  part.source = page.substr(source + from.size(), text - source - from.size());
  part.before = page.substr(0, begin);
  part.text = page.substr(begin, last - begin);
  part.after = page.substr(last);
  return part;
}

std::vector<Generated> parts_of(const fs::path& repository) {
  return {generated(repository / "README.md", "headline"),
          generated(repository / "docs/targets.md", "table of targets")};
}

// Of those that are drawn beside the set, as these results give them.
Pictures pictures(const fs::path& set, const Results& results) {
  Pictures drawn;
  Report report(results);
  report.figure_width_mm = figure_width_mm;
  for (const auto& [name, text] : format_of("figures").files(report)) {
    const std::string plain = name.substr(0, name.find('.'));
    if (fs::exists(set / "figures" / (plain + ".svg"))) drawn[plain] = text;
  }
  return drawn;
}

// What a published figure is drawn from: packed, it takes a tenth of the room.
void add_specification(std::map<fs::path, std::string>& files, const fs::path& figures,
                       const std::string& name, const std::string& text) {
  files[figures / (name + ".vl.json.bz2")] = packed(text);
}

}  // namespace

std::vector<std::string> unpublishable(const Results& results) {
  std::vector<std::string> found;
  const auto require = [&found](bool good, const char* fault) {
    if (!good) found.emplace_back(fault);
  };
  require(results.run.complete && !results.shard, "incomplete");
  require(!results.run.dirty && std::regex_match(results.run.commit, std::regex("[0-9a-f]{40}")),
          "not from a clean commit");
  require(std::ranges::none_of(results.cells, has_failed), "a row failed, crashed or timed out");
  require(results.machine.gpu && std::ranges::any_of(results.cells, of_backend(Backend::cuda)),
          "not of a GPU");
  require(!results.kernels, "with kernels from elsewhere");
  return found;
}

Publication::Publication(fs::path repository) : repository_(std::move(repository)) {
  std::error_code none;
  for (const auto& file : fs::recursive_directory_iterator(folder(), none))
    if (file.is_directory() && fs::exists(results_in(file.path()))) sets_.push_back(file.path());
  std::ranges::sort(sets_);
}

fs::path Publication::folder() const {
  return repository_ / "reports" / "published";
}

std::vector<std::string> Publication::faults() const {
  std::vector<std::string> found;
  const auto require = [&found](bool good, const std::string& fault) {
    if (!good) found.push_back(fault);
  };
  for (const fs::path& set : sets_) {
    const std::string name = fs::relative(set, folder()).string() + ": ";
    try {
      const Results& results = results_of(set);
      for (const std::string& fault : unpublishable(results)) found.push_back(name + fault);
      for (const auto& [file, text] : made_of(set, results))
        require(read_text(file) == text,
                name + fs::relative(file, set).string() + " is not what results.json gives");
    } catch (const BadFile& problem) {
      found.push_back(name + problem.what());
    }
  }
  for (const auto& [file, text] : of_all())
    require(read_text(file) == text, file.filename().string() + " is not what the sets give");
  for (const Generated& part : parts_of(repository_)) {
    const auto require_of = [&](bool good, const std::string& fault) {
      require(good, fmt::format("{}: {}", part.file.stem().string(), fault));
    };
    const std::string& what = part.name;
    require_of(empty() ? !part.is_mentioned : !part.source.empty(),
               empty() ? fmt::format("a {} of nothing", what) : "no " + what);
    const fs::path set = repository_ / part.source;
    if (!part.source.empty() && fs::exists(results_in(set)))
      require_of(part.text == wanted(part.name, set),
                 fmt::format("not the {} of {}", what, part.source));
    else
      require_of(part.source.empty() || empty(),
                 fmt::format("a {} of {}, which is not published", what, part.source));
  }
  return found;
}

std::map<fs::path, std::string> Publication::made() const {
  std::map<fs::path, std::string> all;
  for (const fs::path& set : sets_) all.merge(made_of(set, results_of(set)));
  all.merge(of_all(all));
  for (const Generated& part : parts_of(repository_))
    if (const fs::path set = repository_ / part.source; !part.source.empty())
      all[part.file] = part.before + wanted(part.name, set) + part.after;
  return all;
}

// By file: a report, or of the second run of a study how it compares with the first.
std::map<fs::path, std::string> Publication::made_of(const fs::path& set,
                                                     const Results& results) const {
  std::map<fs::path, std::string> made;
  const fs::path first = set.parent_path();
  if (set.filename() == "counters") return made;  // `./ladder report` renders it
  if (set.filename() != "second") {
    std::error_code none;
    // an empty one, unless it is a page of this report
    for (const auto& file : fs::directory_iterator(set / "report", none)) made[file];
    const Pictures drawn = pictures(set, results);
    for (const auto& [name, text] : drawn) add_specification(made, set / "figures", name, text);
    Report report(results);
    report.pictures = drawn;
    for (const auto& [name, text] : report_files(report)) made[set / name] = text;
    return made;
  }
  const Results& before = results_of(first);
  const auto name = [this](const fs::path& folder) {
    return fs::relative(results_in(folder), repository_).string();
  };
  made[first / "compare.txt"] = comparison_text({name(first), before}, {name(set), results},
                                                comparison(before, results), rows_on_a_terminal);
  return made;
}

bool Publication::has_figure_of_all() const {
  return fs::exists(folder() / "figures/sets.svg");
}

std::vector<fs::path> Publication::machines() const {
  std::vector<fs::path> found;
  for (const fs::path& set : sets_)
    if (set.parent_path() == folder()) found.push_back(set);
  return found;
}

std::map<fs::path, std::string> Publication::of_all(
    const std::map<fs::path, std::string>& made) const {
  std::map<fs::path, std::string> files;
  if (empty()) return files;
  files[folder() / "README.md"] = list(made);
  std::vector<GivenSet> sets;
  for (const fs::path& set : machines())
    if (sets.size() < most_sets) sets.push_back({set.filename().string(), results_of(set), {}});
  if (sets.size() < 2) return files;
  for (const auto& [name, text] : sets_files(sets)) files[folder() / name] = text;
  if (has_figure_of_all())
    add_specification(files, folder() / "figures", "sets", sets_figure(sets, figure_width_mm));
  return files;
}

std::string Publication::wanted(const std::string& part, const fs::path& set) const {
  const Results& results = results_of(set);
  if (part != "headline") return '\n' + targets_of_published(results) + '\n';
  const auto name = [this](const fs::path& one) {
    return fs::relative(one, repository_).generic_string();
  };
  std::vector<PublishedElsewhere> others;
  for (const fs::path& other : machines())
    if (other != set) others.push_back({name(other), results_of(other)});
  Report report(results);
  report.pictures = pictures(set, results);
  const std::string figure = has_figure_of_all() ? name(folder() / "figures/sets.svg") : "";
  return '\n' + headline(report, name(set), others, figure) + '\n';
}

const Results& Publication::results_of(const fs::path& set) const {
  const auto found = read_.find(set);
  return found != read_.end() ? found->second
                              : read_.emplace(set, read(results_in(set))).first->second;
}

std::string Publication::list(const std::map<fs::path, std::string>& made) const {
  std::vector<PublishedSet> all;
  for (const fs::path& set : sets_) {
    PublishedSet one{fs::relative(set, folder()).string(), results_of(set), {}};
    for (const char* file : {"report.md", "report.html", "compare.txt", "clock.md"})
      if (fs::exists(set / file) || made.contains(set / file)) one.files.emplace_back(file);
    all.push_back(std::move(one));
  }
  return index_page(all);
}

}  // namespace ladder::reports
