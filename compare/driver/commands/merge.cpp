#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "compare/driver/commands/commands.hpp"
#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/results/read_published.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "compare/driver/results/write_result_set.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/lists.hpp"
#include "reports/file/sha256.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/json.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/soundness/merged_shards.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/names.hpp"

namespace ladder {
namespace {

struct ShardFile : GivenSet {
  const reports::Shard& shard() const { return *results.shard; }
};

ShardFile read_part(const fs::path& given) {
  ShardFile part{read_set(given)};
  const auto refuse = [&](const std::string& why) { throw UsageError("{}: {}", part.name, why); };
  const auto& found = part.soundness;
  if (found.fits_schema &&
      reports::sha256(part.samples) != part.results.run.samples.value_or(reports::sha256("")))
    refuse(fmt::format("{} beside it does not hold its samples; put the file of its run there",
                       samples_name));
  if (!found.sound())
    refuse(
        fmt::format("it is not sound ({}); ./ladder check lists all errors", first_error(found)));
  if (!part.results.shard)
    refuse("it is not a shard; ./ladder run --shard 1/2 makes the first of two");
  if (!part.results.run.complete)
    refuse(fmt::format("it is unfinished; {} --resume continues it",
                       reports::printable(part.results.run.command)));
  return part;
}

// What is the same in all shards of a run: what matters most first.
std::vector<std::pair<std::string, json>> in_common(const reports::Results& r) {
  return {{"/shard", {{"of", r.shard->of}, {"groups", r.shard->groups}, {"plan", r.shard->plan}}},
          {"/run", {{"commit", r.run.commit}, {"dirty", r.run.dirty}, {"seed", r.run.seed}}},
          {"/kernels", r.kernels ? json(*r.kernels) : json::object()},
          {"/software", r.software},
          {"/machine", reports::kind_of(r.machine)}};
}

void require_one_run(const ShardFile& a, const ShardFile& b) {
  const auto in_a = in_common(a.results), in_b = in_common(b.results);
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    const json difference = json::diff(in_a[i].second, in_b[i].second);
    if (difference.empty()) continue;
    std::string field = difference[0]["path"];
    if (field.ends_with("/-")) field.resize(field.size() - 2);  // the second list is longer
    const auto value = [&](const json& of) {
      return of.contains(json::json_pointer(field))
                 ? reports::printable(of.at(json::json_pointer(field)).dump())
                 : "nothing";
    };
    throw UsageError(
        "{} and {} differ in {}{}, {} and {}; shards of one run have one plan, one commit, one "
        "software and one kind of machine",
        a.name, b.name, in_a[i].first, field, value(in_a[i].second), value(in_b[i].second));
  }
}

// The command that made one shard makes another.
std::string command_for(unsigned number, const ShardFile& other) {
  std::string command = other.results.run.command;
  const std::string wanted = fmt::format("{}/{}", number, other.shard().of),
                    its = fmt::format("{}/{}", other.shard().number, other.shard().of);
  const auto at = command.find("--shard");
  const auto word = at == command.npos ? at : command.find(its, at);
  if (word != at + std::string_view("--shard ").size()) return "its command with --shard " + wanted;
  return reports::printable(command.replace(word, its.size(), wanted));
}

// parts: of one run, by number.
void require_each_once(const std::vector<ShardFile>& parts) {
  std::set<unsigned> missing;
  for (unsigned number = 1; number <= parts[0].shard().of; ++number) missing.insert(number);
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (missing.erase(parts[p].shard().number) == 0)
      throw UsageError("{} and {} are both {}; name one of them", parts[p - 1].name, parts[p].name,
                       reports::shards_in_words(parts[p].results));
  if (!missing.empty()) {
    const auto numbers =
        reports::each(missing, [](unsigned number) { return std::to_string(number); });
    throw UsageError("{} {} of {} {} missing; {} runs {}", missing.size() == 1 ? "shard" : "shards",
                     reports::enumerated(numbers), parts[0].shard().of,
                     missing.size() == 1 ? "is" : "are", command_for(*missing.begin(), parts[0]),
                     missing.size() == 1 ? "it" : "the first");
  }
  std::map<std::pair<reports::Input, reports::How>, const ShardFile*> groups;
  for (const ShardFile& part : parts)
    for (const reports::Cell& cell : part.results.cells)
      if (const ShardFile* other =
              groups.emplace(std::pair(group_input(cell.input), cell.how), &part).first->second;
          other != &part)
        throw UsageError(
            "{} and {} both have {}, and each group of competitors is in one shard; "
            "measure one of them again",
            other->name, part.name, reports::cell_name(cell.key()));
  if (groups.size() != parts[0].shard().groups)
    throw UsageError(
        "these shards hold {} of the {} groups of their plan, so one of them was "
        "changed after its run; measure it again",
        reports::grouped(groups.size()), reports::grouped(parts[0].shard().groups));
}

GivenSet merged(std::vector<ShardFile> parts, const std::string& command) {
  GivenSet all;
  reports::Results& results = all.results;
  results.run = parts[0].results.run;
  results.run.command = command;
  results.run.samples.reset();  // unless there are some
  results.software = parts[0].results.software;
  results.kernels = parts[0].results.kernels;
  for (ShardFile& part : parts) {
    const reports::Run& run = part.results.run;
    results.run.date = std::min(results.run.date, run.date);
    unite(results.run.efforts, run.efforts);
    unite(results.operations, part.results.operations);
    unite(results.rungs, part.results.rungs);
    unite(results.sources, part.results.sources);
    const auto move_all = [&](auto& from, auto& to) {
      for (auto& one : from) {
        one.shard = part.shard().number;
        to.push_back(std::move(one));
      }
    };
    move_all(part.results.ceilings, results.ceilings);
    move_all(part.results.overheads, results.overheads);
    move_all(part.results.cells, results.cells);
    move_all(part.results.limits, results.limits);
    results.merged.push_back({run.id, run.date, run.command, part.results.machine});
    all.samples += part.samples;
  }
  results.machine = reports::common_machine(results.merged);
  reports::sort(results);
  return all;
}

}  // namespace

void require_room_for_merge(const fs::path& out) {
  if (fs::exists(out / "journal.jsonl"))
    throw UsageError("{} holds the journal of a run; choose another folder with --out",
                     out.string());
}

int merge_command(const std::vector<fs::path>& files, const fs::path& out,
                  const std::string& command) {
  std::vector<ShardFile> parts;
  for (const fs::path& file : files) {
    parts.push_back(read_part(file));
    require_one_run(parts[0], parts.back());
  }
  std::ranges::stable_sort(parts, {}, [](const ShardFile& part) { return part.shard().number; });
  require_each_once(parts);
  require_room_for_merge(out);

  auto [name, document, results, samples, soundness] = merged(std::move(parts), command);
  if (samples.size() > most_samples)
    throw UsageError("the shards hold more than {} MiB of samples, which no study does",
                     most_samples >> 20);
  const Set set = set_of(results, std::move(samples));
  if (!set.soundness.sound())
    throw UsageError("the merged set would not be sound ({}); measure them again",
                     first_error(set.soundness));
  const Published published = reports::shows_published(results) ? read_published() : Published{};
  make_folder(out);
  try {
    write_results(out, results, set, published, nullptr);
  } catch (const std::system_error& problem) {
    throw UsageError("{}; choose another folder with --out", words_of(problem));
  }
  fmt::print("{}report: {}\n", reports::text_of("summary", {results, published}),
             reports::one_line((out / "report.html").string()));
  return std::ranges::any_of(results.cells, reports::has_failed) ? 1 : 0;
}

}  // namespace ladder
