#include "compare/driver/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "compare/driver/study/progress.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/parse_size.hpp"
#include "compare/driver/workers/all_cores.hpp"
#include "compare/driver/workers/dialogue.hpp"
#include "compare/driver/workers/worker_group.hpp"
#include "compare/registry.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/names.hpp"

namespace ladder {
namespace {

constexpr std::chrono::minutes time_for_limits{2};

std::string describe(const Group& group) {
  const ProblemSpec& p = group.problem;
  return fmt::format(
      "{} {}{} {} n = {}{}{}", name_of(group.backend), p.operation, p.op.empty() ? "" : " " + p.op,
      p.dtype, size_text(p.n),
      reports::displaced(p.offset) + reports::over_devices(p.devices, p.process_for_each_device),
      group.cache ? fmt::format(" {}", name_of(*group.cache)) : "");
}

// One group in one process.
Work work(const Group& group) {
  const auto rungs = static_cast<double>(group.rungs.size());
  return {group.timed() ? rungs / group.processes() : rungs, seconds_of_a_process(group)};
}

// Runs a plan.
struct Study {
  const Plan& plan;
  const Catalogue& catalogue;
  Record& record;
  milliseconds longest_silence;
  const std::vector<std::string>& launcher;  // words before the name of a worker program
  Progress progress{all_work(plan)};

  void run() {
    // Times of a GPU first: people wait for those.
    const Backend& cuda = catalogue.backend(reports::Backend::cuda);
    run(cuda);
    for (const Backend& backend : catalogue.backends)
      if (&backend != &cuda) run(backend);
  }

  void run(const Backend& backend) {
    std::vector<std::size_t> groups;
    for (std::size_t g = 0; g < plan.groups.size(); ++g)
      if (plan.groups[g].backend == backend.name) groups.push_back(g);
    if (groups.empty()) return;
    if (backend.contracts.empty()) count(backend, groups);
    else time(backend, groups);
  }

  static Work all_work(const Plan& plan) {
    Work all;
    for (const Group& group : plan.groups)
      for (unsigned process = 0; process < group.processes(); ++process) all += work(group);
    return all;
  }

  // Counts do not depend on what else runs: as many groups at a time as there are cores, the
  // longest first.
  void count(const Backend& backend, std::vector<std::size_t> groups) {
    std::ranges::stable_sort(groups, std::greater{},
                             [&](std::size_t g) { return work(plan.groups[g]).cost; });
    on_all_cores(groups.size(), [&] {
      return [&, worker = std::unique_ptr<Worker>()](std::size_t i) mutable {
        contest(backend, worker, groups[i], 0);
      };
    });
  }

  // One worker at a time and nothing beside it: a fresh one for each round through all groups.
  void time(const Backend& backend, const std::vector<std::size_t>& groups) {
    limits(backend);
    unsigned rounds = 0;
    for (const std::size_t g : groups) rounds = std::max(rounds, plan.groups[g].effort.processes);
    for (unsigned process = 0; process < rounds; ++process) {
      std::unique_ptr<Worker> worker;
      for (const std::size_t g : groups)
        if (process < plan.groups[g].effort.processes) contest(backend, worker, g, process);
    }
    std::unique_ptr<Worker> worker;
    for (const std::size_t g : groups)  // last: reading counters disturbs what is timed
      if (plan.groups[g].counted) contest(backend, worker, g, plan.groups[g].effort.processes);
  }

  void limits(const Backend& backend) {
    if (record.has_limits(backend.name)) return;
    progress.doing(fmt::format("{} ceilings of memory and cache", name_of(backend.name)));
    event::Limits limits{backend.name, {}, {}};
    try {
      WorkerProcess worker(backend.program);
      const json reply =
          ask(worker, json{{"do", "limits"}, {"devices", plan.devices_of_a_process()}},
              time_for_limits);
      reply.at("ceilings").get_to(limits.ceilings);
      reply.at("overheads").get_to(limits.overheads);
      return record.add(limits);
    } catch (const std::exception& problem) {
      progress.note(
          fmt::format("no ceilings for the {} backend: {}", name_of(backend.name), problem.what()));
    }
    record.add(event::Limits{backend.name, {}, {}});
  }

  // Starts a worker; with a launcher, one process for each device.
  std::unique_ptr<Worker> start(const Backend& backend, unsigned devices) const {
    if (launcher.empty()) return std::make_unique<WorkerProcess>(backend.program);
    return std::make_unique<WorkerGroup>(backend.program, launcher, devices, longest_silence);
  }

  // Measures one group in one process. Every turn of the loop finishes it or takes at least one
  // rung out, so that it ends.
  void contest(const Backend& backend, std::unique_ptr<Worker>& worker, std::size_t g,
               unsigned process) {
    const Work share = work(plan.groups[g]);
    if (record.is_done(g, process)) return progress.finished(share, true);
    for (auto paths = record.remaining(g, process); !paths.empty();
         paths = record.remaining(g, process)) {
      record.add(event::Start{g, process});
      progress.doing(describe(plan.groups[g]));
      std::string in_flight;  // begun last; empty: none yet
      event::Lost loss{g, {}, reports::Verdict::crashed, {}};
      try {
        if (!worker) worker = start(backend, plan.groups[g].problem.devices);
        measure(*worker, g, process, paths, in_flight);
        break;
      } catch (const WorkerSilent& silence) {
        if (worker) worker->kill();
        loss.verdict = reports::Verdict::timeout;
        loss.reason = silence.what();
      } catch (const WorkerEnded& end) {
        loss.reason = end.what();
      } catch (const MalformedReply& rubbish) {
        if (worker) worker->kill();
        loss.reason = rubbish.what();
      } catch (const WorkerRefused& refusal) {
        loss.verdict = reports::Verdict::fail;
        loss.reason = refusal.what();
      } catch (const Interrupted&) {
        if (worker) worker->kill();
        throw;
      }
      if (loss.reason.empty()) loss.reason = "the worker did not say why";
      worker.reset();  // if one process of a group refused, the others still work on the request
      blame(paths, in_flight, process, loss);
    }
    record.add(event::Done{g, process});
    progress.finished(share);
  }

  void measure(Worker& worker, std::size_t g, unsigned process,
               const std::vector<std::string>& paths, std::string& in_flight) {
    std::map<std::string, std::vector<double>> times;
    std::optional<std::pair<double, std::string>> fastest;
    const auto take = [&](const std::string& name, const json& content) {
      if (name == "sample" && !plan.groups[g].counts_in(process)) {
        const auto sample = content.get<protocol::Sample>();
        times[sample.path].push_back(sample.us);
        record.add(event::Sampled{g, process, sample});
      } else if (name == "cell") {
        const auto cell = content.get<protocol::MeasuredCell>();
        record.add(event::Measured{g, process, cell});
        if (const auto it = times.find(cell.path);
            it != times.end() && cell.verdict == reports::Verdict::pass && !is_limit(cell.path)) {
          const std::pair time(statistics::median(it->second), std::string(rung_of(cell.path)));
          if (!fastest || time < *fastest) fastest = time;
        }
      } else {
        return false;
      }
      return true;
    };
    converse(worker, "measure", plan.request(g, process, paths), longest_silence, take, &in_flight);
    if (const auto untold = record.untold(g, process); !untold.empty()) {
      in_flight = untold.front();
      throw MalformedReply("the worker did not report the outcome");
    }
    if (fastest) {
      const reports::Duration duration(fastest->first);
      progress.done(fmt::format("{}: {} {} {}", size_text(plan.groups[g].problem.n),
                                fastest->second, duration.number(fastest->first), duration.unit));
    }
  }

  // Before any rung was begun, the worker was busy with the input that they share: then none of
  // them can be run. What was timed stays where only its counters are missing.
  void blame(const std::vector<std::string>& paths, const std::string& in_flight, unsigned process,
             event::Lost loss) {
    const bool only_counts = plan.groups[loss.group].counts_in(process);
    progress.note(fmt::format("{}: {} {}: {}", describe(plan.groups[loss.group]),
                              in_flight.empty() ? "every rung" : in_flight,
                              only_counts ? "not counted" : name_of(loss.verdict), loss.reason));
    if (in_flight.empty() && !only_counts)
      loss.reason = "while the input was being prepared: " + loss.reason;
    for (const std::string& path : in_flight.empty() ? paths : std::vector{in_flight}) {
      loss.path = path;
      if (only_counts)
        record.add(event::Measured{
            loss.group, process, {path, reports::Verdict::skipped, loss.reason, {}, {}, {}, {}}});
      else record.add(loss);
    }
  }
};

}  // namespace

void need_counters(const Plan& plan, const Catalogue& catalogue) {
  for (const Backend& backend : catalogue.backends) {
    const auto is_counted = [&](const Group& group) {
      return group.counted && group.backend == backend.name;
    };
    if (std::ranges::none_of(plan.groups, is_counted)) continue;
    std::string reason;
    try {
      WorkerProcess worker(backend.program);
      reason = ask(worker, "counters", time_for_limits).at("unavailable").get<std::string>();
    } catch (const std::exception& problem) {
      reason = problem.what();
    }
    if (!reason.empty())
      throw UsageError("--counters: the GPU's counters cannot be read: {}",
                       reports::printable(reason));
  }
}

void run_study(const Plan& plan, const Catalogue& catalogue, Record& record,
               milliseconds longest_silence, const std::vector<std::string>& launcher) {
  Study{plan, catalogue, record, longest_silence, launcher}.run();
}

}  // namespace ladder
