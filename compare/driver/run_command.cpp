#include "compare/driver/run_command.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <optional>

#include "compare/driver/assemble.hpp"
#include "compare/driver/errors.hpp"
#include "compare/driver/interrupt.hpp"
#include "compare/driver/output.hpp"
#include "compare/driver/study.hpp"
#include "compare/driver/version.hpp"
#include "reports/summary.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

// A choice of device is for the cuda worker alone, which the CUDA runtime reads from its environment.
void choose_device(const std::string& device, const Catalogue& catalogue) {
  if (device.empty()) return;
  if (const Backend& cuda = catalogue.backend("cuda"); !cuda.unavailable.empty())
    throw UsageError(fmt::format("--device: the cuda backend does not run here: {}", cuda.unavailable));
}

// The worker programs are part of what is measured: a rebuilt one makes another run.
nlohmann::json identity(const Plan& plan, const Catalogue& catalogue, const std::string& device) {
  nlohmann::json id = plan.identity();
  id["commit"] = source_commit;
  id["dirty"] = source_dirty;
  id["device"] = device;
  for (const Backend& backend : catalogue.backends)
    if (std::ranges::any_of(plan.groups, [&](const Group& group) { return group.backend == backend.name; }))
      id["workers"][backend.name] = {fs::file_size(backend.program), fs::last_write_time(backend.program).time_since_epoch().count()};
  return id;
}

void make_room(const fs::path& folder, const Plan& plan) {
  constexpr double line = 200;  // bytes of a sample in the journal
  double bytes = 1 << 20;       // the result files
  for (const Group& group : plan.groups)
    bytes += line * static_cast<double>(group.rungs.size()) * (group.timed() ? group.effort.processes * group.effort.max_samples : 10);
  const auto available = static_cast<double>(fs::space(folder).available);
  if (available < bytes)
    throw UsageError(fmt::format("{} has {:.1f} MB left and the run may need {:.1f} MB; make room, or choose another folder with --out",
                                 folder.string(), available / 1e6, bytes / 1e6));
}

bool failed(const reports::Cell& cell) {
  return cell.verdict == "fail" || cell.verdict == "crashed" || cell.verdict == "timeout";
}

}  // namespace

int run_command(const RunOptions& options, const fs::path& workers, const std::string& command) {
  interrupt::watch();
  if (!options.device.empty()) setenv("CUDA_VISIBLE_DEVICES", options.device.c_str(), 1);  // before any worker starts
  const Catalogue catalogue = read_catalogue(workers);
  choose_device(options.device, catalogue);
  validate(options.selection, catalogue);
  const Plan plan = make_plan(options.selection, catalogue);

  const std::string date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  const nlohmann::json run{{"identity", identity(plan, catalogue, options.device)}, {"date", date}, {"command", command}};
  Journal journal(options.out, run, options.resume ? Journal::Mode::resume : Journal::Mode::fresh);
  make_room(options.out, plan);
  Record record(plan, journal);

  bool complete = true;
  try {
    const auto longest_silence = std::chrono::milliseconds(static_cast<std::int64_t>(options.timeout * 1000));
    run_study(plan, catalogue, record, longest_silence);
  } catch (const Interrupted&) {
    complete = false;
  }

  reports::Results results =
      assemble(catalogue, record,
               {.id = {}, .date = date, .command = command, .commit = source_commit, .dirty = source_dirty, .seed = plan.seed, .complete = complete});
  write_results(options.out, results, record);
  fmt::print("{}report: {}\n", reports::summary(results), (options.out / "report.md").string());
  if (!complete) {
    fmt::print(stderr, "ladder: interrupted; what was finished is in the report, and the same command with --resume goes on from there\n");
    return 130;
  }
  return std::ranges::any_of(results.cells, failed) ? 1 : 0;
}

}  // namespace ladder
