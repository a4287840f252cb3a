#include "compare/driver/commands/run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <map>
#include <set>
#include <system_error>

#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/results/assemble.hpp"
#include "compare/driver/results/machine.hpp"
#include "compare/driver/results/read_published.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "compare/driver/results/write_result_set.hpp"
#include "compare/driver/study/progress.hpp"
#include "compare/driver/study/study.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/interrupt.hpp"
#include "compare/driver/terminal/say.hpp"
#include "compare/driver/terminal/version.hpp"
#include "compare/driver/workers/dialogue.hpp"
#include "compare/driver/workers/worker_process.hpp"
#include "reports/formats/report.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"

namespace ladder {
namespace {

// A backend that was not built is no news; one that was built and does not start is.
void warn_of_failures(const Catalogue& catalogue) {
  for (const Backend& backend : catalogue.backends)
    if (!backend.runs() && fs::exists(backend.program))
      say("the {} backend does not run here: {}", name_of(backend.name), backend.unavailable);
}

// Throws UsageError unless it starts a worker that answers. Later ones that it does not start cost
// their cells.
void need_launcher(const std::vector<std::string>& launcher, const Backend& backend,
                   milliseconds longest_silence) {
  std::string reason;
  try {
    WorkerProcess worker(backend.program, launcher);
    try {
      ask(worker, "list", longest_silence);
    } catch (const WorkerEnded&) {
      reason = fmt::format("it ended ({})", worker.how_it_ended());
    }
  } catch (const std::exception& problem) {
    reason = problem.what();
  }
  if (!reason.empty())
    throw UsageError("--launcher: \"{}\" does not start {}, so nothing was run: {}",
                     fmt::join(launcher, " "), backend.program.filename().string(),
                     reports::printable(reason));
}

// The worker programs are part of what is measured: a rebuilt one makes another run.
json identity(const Plan& plan, const Catalogue& catalogue, const RunOptions& options) {
  json id = plan.identity();
  id["commit"] = source_commit;
  id["dirty"] = source_dirty;
  id["device"] = options.device;
  if (!options.launcher.empty()) id["launcher"] = options.launcher;
  if (plan.share) id["shard"] = plan.share->shard;
  for (const Backend& backend : catalogue.backends)
    if (plan.uses(backend.name))
      id["workers"][std::string(name_of(backend.name))] = {
          fs::file_size(backend.program),
          fs::last_write_time(backend.program).time_since_epoch().count()};
  return id;
}

void make_room(const fs::path& folder, const Plan& plan) {
  constexpr double line = 200;  // bytes of a sample in the journal
  double bytes = 1 << 20;       // the result files
  for (const Group& group : plan.groups)
    bytes += line * static_cast<double>(group.rungs.size()) *
             (group.timed() ? group.effort.processes * group.effort.max_samples : 10);
  std::error_code error;
  fs::path there = fs::absolute(folder);
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  const auto space = fs::space(there, error);
  if (error) return;  // opening the journal will tell
  if (static_cast<double>(space.available) < bytes)
    throw UsageError(
        "{} may need {:.1f} MB and there are {:.1f} MB left; make room, or choose "
        "another folder with --out",
        folder.string(), bytes / 1e6, static_cast<double>(space.available) / 1e6);
}

// Throws UsageError where the journal was edited or damaged, before hours are spent on top of it.
void require_sense(const Catalogue& catalogue, const Record& record, const reports::Run& run) {
  reports::Results results = assemble(catalogue, record, run);
  const auto found = set_of(results, record).soundness;
  if (!found.sound())
    throw UsageError("the journal contradicts itself ({}); start afresh with --restart",
                     first_error(found));
}

// With one process for each device only rungs over devices remain that make collective calls alone,
// and no host has the whole answer. A rung that followed a left-out rung follows what that one did.
void leave_out_what_needs_one_process(Catalogue& catalogue, unsigned devices) {
  const auto is_left_out = [](const protocol::Listing& rung) {
    return rung.over_devices && !rung.collective;
  };
  std::set<std::string> names;
  for (Backend& backend : catalogue.backends) {
    std::erase(backend.contracts, reports::Contract::host_result);
    std::map<std::pair<std::string, std::string>, std::string> followed;  // by those
    for (const protocol::Listing& rung : backend.implementations)
      if (is_left_out(rung))
        followed[{rung.operation, rung.rung}] = rung.follows, names.insert(rung.rung);
    std::erase_if(backend.implementations, is_left_out);
    if (std::ranges::any_of(backend.implementations, &protocol::Listing::collective) &&
        devices <= most_devices)
      backend.devices = std::max(backend.devices, devices);  // other hosts may have them
    for (protocol::Listing& rung : backend.implementations)
      for (auto it = followed.find({rung.operation, rung.follows}); it != followed.end();
           it = followed.find({rung.operation, rung.follows}))
        rung.follows = it->second;
  }
  if (!names.empty())
    say("left out with --launcher: {}; they read or write the memory of other devices, which "
        "belong to other processes",
        fmt::join(names, ", "));
}

bool skipped(const reports::Cell& cell) {
  return cell.verdict() == reports::Verdict::skipped;
}

}  // namespace

Catalogue catalogue_for_run(const RunOptions& options, const fs::path& workers, unsigned devices) {
  interrupt::watch();
  // for the cuda worker alone, before it starts
  if (!options.device.empty()) setenv("CUDA_VISIBLE_DEVICES", options.device.c_str(), 1);
  // which is for tests: counts of other grids
  unsetenv("LADDER_FEW_MULTIPROCESSORS");
  Catalogue catalogue = read_catalogue(workers);
  if (!options.with_sources.empty()) catalogue.sources.merge(sources_in(options.with_sources));
  if (!options.device.empty()) require_gpu(catalogue, options.device);
  if (!options.launcher.empty()) leave_out_what_needs_one_process(catalogue, devices);
  return catalogue;
}

int run_command(const RunOptions& options, const fs::path& workers, const std::string& command) {
  Selection selection = options.selection;
  selection.process_for_each_device = !options.launcher.empty();
  if (selection.process_for_each_device && selection.devices == 0)
    throw UsageError(
        "--launcher starts a process for each device; add --devices, such as --devices 2");
  const Catalogue catalogue = catalogue_for_run(options, workers, selection.devices);
  validate(selection, catalogue);
  Plan plan = make_plan(selection, catalogue);
  if (!options.shard) return run_plan(plan, catalogue, options, command);
  RunOptions of_shard = options;
  of_shard.out = folder_of(*options.shard, options.out);
  return run_plan(shard_of(plan, options.shard->number, options.shard->of), catalogue, of_shard,
                  command);
}

fs::path folder_of(const ShardChoice& shard, const fs::path& out) {
  return out / fmt::format("shard_{}_of_{}", shard.number, shard.of);
}

int run_plan(const Plan& plan, const Catalogue& catalogue, const RunOptions& options,
             const std::string& command) {
  constexpr const char* no_journal = "somebody has removed the journal, so nothing is kept";
  const auto start = std::chrono::steady_clock::now();
  const std::string date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  const json header{
      {"identity", identity(plan, catalogue, options)}, {"date", date}, {"command", command}};
  const auto longest_silence = milliseconds(static_cast<std::int64_t>(options.timeout * 1000));
  for (const Backend& backend : catalogue.backends)
    if (!options.launcher.empty() && plan.uses(backend.name))
      need_launcher(options.launcher, backend, longest_silence);
  make_room(options.out, plan);
  require_room_for_results(options.out);
  if (!options.resume) need_counters(plan, catalogue);  // before an earlier journal gives way
  Journal journal(options.out, header,
                  options.resume    ? Journal::Mode::resume
                  : options.restart ? Journal::Mode::restart
                                    : Journal::Mode::fresh);
  if (options.resume && journal.earlier().empty())
    say("nothing was measured yet in {}: starting from the first row", options.out.string());
  Record record(plan, journal);
  reports::Run run{.id = {},
                   // a run that is resumed is the one that was begun
                   .date = journal.run().value("date", date),
                   .command = journal.run().value("command", command),
                   .commit = source_commit,
                   .dirty = source_dirty,
                   .seed = plan.seed,
                   .complete = true,
                   .efforts = {},
                   .samples = {}};
  if (!journal.earlier().empty()) require_sense(catalogue, record, run);
  if (options.resume && record.is_counting_left()) need_counters(plan, catalogue);
  if (options.selection.backends.empty()) warn_of_failures(catalogue);

  reports::Results results;
  Set set;
  const Published published = read_published();
  try {
    try {
      run_study(plan, catalogue, record, longest_silence, options.launcher);
    } catch (const Interrupted&) {
      run.complete = false;
    }
    results = assemble(catalogue, record, run);
    if (!run.complete && std::ranges::all_of(results.cells, skipped)) {
      say("interrupted before the first row was done, so there is no report; the same command with "
          "{} goes on",
          journal.is_there() ? "--resume" : "--restart");
      return 130;
    }
    if (run.complete) describe_gpu_afterwards(catalogue, results);
    set = set_of(results, record);
    if (!set.soundness.fits_schema)
      throw UsageError("no results can be written: {}; {}",
                       reports::printable(set.soundness.errors[0].what),
                       journal.is_there() ? "the journal holds every sample" : no_journal);
    make_folder(options.out);  // somebody may have removed it
    write_results(options.out, results, set, published, &record);
  } catch (const std::system_error& problem) {
    throw UsageError("{}; {}", words_of(problem),
                     journal.is_there()
                         ? "the journal holds every sample so far; solve this and run "
                           "the same command with --resume"
                         : no_journal);
  }
  fmt::print("{}report: {}, after {}\n", reports::text_of("summary", {results, published}),
             reports::one_line(from_here(options.out / "report.html").string()),
             in_words(std::chrono::steady_clock::now() - start));
  if (!set.soundness.sound())
    say("this set is not sound: {}; ./ladder check lists all errors", first_error(set.soundness));
  if (!run.complete) {
    say("interrupted; the report has the finished rows{}",
        journal.is_there() ? ", and the same command with --resume continues from there" : "");
    return 130;
  }
  if (!results.cells.empty() && std::ranges::all_of(results.cells, skipped)) {
    say("every row was skipped; the first one: {}",
        reports::printable(results.cells.front().reason()));
    return 2;
  }
  return !set.soundness.sound() || std::ranges::any_of(results.cells, reports::has_failed) ? 1 : 0;
}

}  // namespace ladder
