#include "compare/proof/clock_proof.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "compare/driver/disk/temporary_folder.hpp"
#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/interrupt.hpp"
#include "compare/driver/terminal/say.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "compare/driver/workers/dialogue.hpp"
#include "compare/proof/ncu.hpp"
#include "compare/proof/pairs.hpp"
#include "compare/proof/series.hpp"
#include "compare/protocol.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/text/complaint.hpp"

namespace ladder {
namespace {

using proof::Check, proof::Pair, proof::Profiled, proof::Series, proof::SeriesRequest;

constexpr std::chrono::seconds longest_silence{60};
constexpr int ncu_seconds = 120;  // it takes some 20

constexpr unsigned processes = 6, samples = 30;  // as the full study
// 128 MiB of i32, past L2: some 40 us
constexpr std::uint64_t pair_elements = std::uint64_t{1} << 25;
constexpr unsigned pairs_in_a_group = 10, twin_groups = 20, slower_groups = 10;

struct Untestable : reports::Complaint {
  using Complaint::Complaint;
};

// What a worker measured of one request.
struct Measured {
  std::map<std::string, std::vector<double>> us;  // by path
  std::uint64_t minimum_bytes = 0;

  double median(const std::string& path) const { return statistics::median(us.at(path)); }
};

Measured measure(WorkerProcess& worker, const protocol::MeasureRequest& request) {
  Measured measured;
  converse(worker, "measure", request, longest_silence,
           [&](const std::string& name, const json& content) {
             if (name == "sample") {
               const auto sample = content.get<protocol::Sample>();
               measured.us[sample.path].push_back(sample.us);
             } else if (name == "cell") {
               const auto cell = content.get<protocol::MeasuredCell>();
               if (cell.verdict != reports::Verdict::pass)
                 throw std::runtime_error(
                     fmt::format("{}: {}: {}", cell.path, name_of(cell.verdict), cell.reason));
               measured.minimum_bytes = cell.minimum_bytes.total();
             } else {
               return false;
             }
             return true;
           });
  return measured;
}

protocol::MeasureRequest cold_request(const ProblemSpec& problem, std::vector<std::string> rungs,
                                      unsigned process = 0, std::uint64_t order_seed = 1) {
  return {.problem = problem,
          .rungs = std::move(rungs),
          .contract = reports::Contract::device_result,
          .cache = reports::Cache::cold,
          .order_seed = order_seed,
          .process = process,
          .min_samples = samples,
          .max_samples = samples,
          .max_seconds = 1};
}

// Two implementations each, of compare/proof/cuda/twins.cu: a twin beside another, or beside a
// slower one.
std::vector<std::pair<std::string, std::string>> twins(bool beside_slower) {
  std::vector<std::pair<std::string, std::string>> names;
  for (unsigned k = 0; k < pairs_in_a_group; ++k)
    names.emplace_back(fmt::format("proof/reduce/twin_{}", beside_slower ? k : 2 * k),
                       beside_slower ? fmt::format("proof/reduce/slower_{}", k)
                                     : fmt::format("proof/reduce/twin_{}", 2 * k + 1));
  return names;
}

// Implementations that ncu looks at: one problem, and of each its path and a word that is in the
// names of its kernels alone. Each moves 2 GiB: of that, what is left in L2 before and after is
// little.
struct ProfiledGroup {
  ProblemSpec problem;
  std::vector<std::pair<std::string, std::string>> rungs;

  std::vector<std::string> paths() const {
    std::vector<std::string> all;
    for (const auto& [path, kernel] : rungs) all.push_back(path);
    return all;
  }
};

ProblemSpec sum_of_i32(const char* operation, std::uint64_t n) {
  return {.operation = operation, .op = "sum", .dtype = "i32", .n = n, .distribution = "uniform"};
}

const std::vector<ProfiledGroup> profiled_groups{
    {sum_of_i32("reduce", std::uint64_t{1} << 29),
     {{"vendor/reduce/cub", "DeviceReduce"},
      {"handwritten/reduce/single_pass", "single_pass_kernel"}}},
    {sum_of_i32("inclusive_scan", std::uint64_t{1} << 28), {{"vendor/scan/cub", "DeviceScan"}}}};

// Under ncu a kernel is profiled when all before it are over, so that the clock's blocking kernel
// would hold everything up. Runs are verified, which is without the clock.
constexpr unsigned profiled_runs = 3;

std::string verify_requests() {
  std::string lines;
  for (const ProfiledGroup& group : profiled_groups) {
    json line = protocol::VerifyRequest{
        .problem = group.problem, .rungs = group.paths(), .repeats = profiled_runs};
    line["do"] = "verify";
    lines += line.dump() + '\n';
  }
  return lines;
}

class Prover {
 public:
  explicit Prover(fs::path workers) : workers_(std::move(workers)) {}

  ClockProof prove() {
    part("spin kernels of known duration", [this] { spins(); });
    part("repeated work", [this] { repeats(); });
    part("empty runs", [this] { empty(); });
    part("CUPTI's records of the same launches", [this] { recorded(); });
    part("ncu", [this] { profiled(); });
    part("pairs of implementations", [this] { pairs(); });
    return std::move(proof_);
  }

 private:
  template <class Action>
  void part(const std::string& what, const Action& action) {
    interrupt::check();
    say("{}", what);
    try {
      action();
    } catch (const Untestable& reason) {
      proof_.checks.push_back({.what = what, .untestable = reason.what()});
    } catch (const std::exception& problem) {
      proof_.checks.push_back({.what = what, .failure = problem.what()});
    }
  }

  void add(const std::vector<Check>& checks) {
    proof_.checks.insert(proof_.checks.end(), checks.begin(), checks.end());
  }

  // From a fresh process each.
  std::vector<Series> take(const char* name, const SeriesRequest& request) {
    WorkerProcess specimens(workers_ / "proof" / "specimens");
    const auto reply = ask(specimens, json(request), longest_silence);
    if (const auto reason = reply.find("untestable"); reason != reply.end())
      throw Untestable(reason->get<std::string>());
    proof_.evidence[name] = {{"asked", request}, {"series", reply.at("series")}};
    return reply.at("series").get<std::vector<Series>>();
  }

  void spins() {
    const auto on_device = take(
        "spins", {.specimen = "spin", .amounts = {5, 10, 20, 50, 100, 200, 500}, .samples = 50});
    add(proof::check_spins(on_device, "events"));
    const auto by_host = take("long_spins", {.specimen = "spin",
                                             .amounts = {1e3, 1e4, 5e4, 1e5},
                                             .samples = 10,
                                             .contract = reports::Contract::host_result});
    add(proof::check_spins(by_host, "the host's clock"));
  }

  void repeats() {
    SeriesRequest request{.specimen = "repeat", .amounts = {}, .samples = 30};
    for (int k = 1; k <= 16; ++k) request.amounts.push_back(k);
    const auto repeated = take("repeats", request);
    add(proof::check_repeats(repeated));
    add({proof::timer_step(repeated)});
  }

  void empty() {
    const auto runs = take("empty_runs", {.specimen = "launch", .amounts = {0, 1}, .samples = 200});
    add(proof::empty_runs(runs));
    empty_ = {statistics::median(runs.at(0).clock_us), statistics::median(runs.at(1).clock_us)};
  }

  void recorded() {
    const auto spins =
        take("recorded_spins",
             {.specimen = "spin", .amounts = {5, 10, 50, 500}, .samples = 50, .recorded = true});
    if (!empty_) throw Untestable("what an empty kernel shows is not known");
    add(proof::check_recorded(spins, *empty_));
  }

  void profiled() {
    std::vector<proof::Launch> launches;
    try {
      launches = launches_by_ncu();
    } catch (const Untestable& reason) {
      for (const ProfiledGroup& group : profiled_groups)
        for (const std::string& path : group.paths()) add(proof::unprofiled(path, reason.what()));
      return;
    }
    WorkerProcess worker(workers_ / "worker_cuda");
    for (const ProfiledGroup& group : profiled_groups) {
      const Measured undisturbed = measure(worker, cold_request(group.problem, group.paths()));
      for (const auto& [path, kernel] : group.rungs) {
        Profiled one{.name = path,
                     .clock_us = undisturbed.median(path),
                     .formula_bytes = static_cast<double>(undisturbed.minimum_bytes)};
        proof::add_launches(launches, kernel, profiled_runs, one);
        proof_.evidence["profiled"].push_back(one);
        add(proof::check_profiled(one));
      }
    }
  }

  // Its own choice would be to hold the GPU's clocks down. It empties the caches before every
  // launch.
  std::vector<proof::Launch> launches_by_ncu() const {
    const TemporaryFolder folder;
    const fs::path log = folder / "log", requests = folder / "requests";
    std::ofstream(requests) << verify_requests();
    const Said said = captured(
        fmt::format("LC_ALL=C PATH=\"$PATH:{}\" timeout --foreground {} ncu --csv --print-units "
                    "base --metrics {} --clock-control none --cache-control all "
                    "--kernel-name 'regex:.*(DeviceReduce|DeviceScan|single_pass_kernel).*' "
                    "--log-file '{}' '{}' < '{}'",
                    LADDER_CUDA_BIN, ncu_seconds, proof::ncu_metrics, log.string(),
                    (workers_ / "worker_cuda").string(), requests.string()));
    interrupt::check();
    const std::string table = read_text(log);
    if (const auto why = proof::why_not_profiled(said.exit_code, table + said.text))
      throw Untestable(*why);
    if (said.text.find("\"pass\":false") != std::string::npos)
      throw std::runtime_error("a run under ncu gave a wrong answer: " + said.text);
    return proof::read_ncu(table);
  }

  void pairs() {
    std::vector<Pair> same(std::size_t{twin_groups} * pairs_in_a_group),
        slower(std::size_t{slower_groups} * pairs_in_a_group);
    for (unsigned process = 0; process < processes; ++process) {
      say("pairs of implementations, process {} of {}", process + 1, processes);
      WorkerProcess worker(workers_ / "proof" / "worker_cuda");
      std::uint64_t order_seed = process;
      add_medians(worker, process, twins(false), order_seed, same);
      add_medians(worker, process, twins(true), order_seed, slower);
    }
    proof_.evidence["twins"] = same;
    proof_.evidence["slower"] = slower;
    add({proof::check_twins(same)});
    add(proof::check_slower(slower));
  }

  // Of as many groups of these names as `pairs` has. Those of a group are measured together.
  static void add_medians(WorkerProcess& worker, unsigned process,
                          const std::vector<std::pair<std::string, std::string>>& names,
                          std::uint64_t& order_seed, std::vector<Pair>& pairs) {
    std::vector<std::string> rungs;
    for (const auto& [a, b] : names) rungs.insert(rungs.end(), {a, b});
    for (auto pair = pairs.begin(); pair != pairs.end();) {
      const Measured measured =
          measure(worker, cold_request(sum_of_i32("reduce", pair_elements), rungs, process,
                                       order_seed += processes));
      for (const auto& [a, b] : names) {
        pair->a_us.push_back(measured.median(a));
        pair->b_us.push_back(measured.median(b));
        ++pair;
      }
    }
  }

  fs::path workers_;
  std::optional<proof::EmptyRuns> empty_;
  ClockProof proof_;
};

}  // namespace

ClockProof prove_clock(const fs::path& workers) {
  return Prover(workers).prove();
}

}  // namespace ladder
