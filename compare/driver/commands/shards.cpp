#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "compare/driver/commands/commands.hpp"
#include "compare/driver/results/write_result_set.hpp"
#include "compare/driver/study/journal.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/interrupt.hpp"
#include "compare/driver/terminal/parse_size.hpp"
#include "compare/driver/terminal/places.hpp"
#include "compare/driver/terminal/say.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "compare/driver/workers/dialogue.hpp"
#include "compare/driver/workers/worker_process.hpp"
#include "reports/soundness/merged_shards.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"

namespace ladder {
namespace {

using Words = std::vector<std::string>;

// The names of GPUs as in CUDA_VISIBLE_DEVICES, which may leave the first of a machine to others.
Words gpus_for(const Catalogue& catalogue, unsigned wanted) {
  const Backend& cuda = catalogue.backend(reports::Backend::cuda);
  if (!cuda.runs())
    throw UsageError("--shards: each shard needs a GPU, and cuda does not run here: {}",
                     cuda.unavailable);
  if (wanted != all_devices && wanted > cuda.devices)
    throw UsageError("--shards: each shard needs a GPU: {} are asked for, and {} can be used",
                     wanted, reports::counted(cuda.devices, "GPU"));
  const std::string visible = environment_variable("CUDA_VISIBLE_DEVICES");
  Words names = visible.empty() ? Words{} : between_commas(visible);
  while (names.size() < cuda.devices) names.push_back(std::to_string(names.size()));
  names.resize(std::min(wanted, cuda.devices));
  return names;
}

json kind_of(const std::string& gpu, const fs::path& worker_program) try {
  setenv("CUDA_VISIBLE_DEVICES", gpu.c_str(), 1);
  WorkerProcess worker(worker_program);
  return reports::kind_of(ask(worker, "describe", std::chrono::seconds(60))
                              .at("machine")
                              .get<reports::Machine>())
      .at("gpu");
} catch (const std::exception& problem) {
  throw UsageError("--shards: GPU {} cannot be used: {}; name others in CUDA_VISIBLE_DEVICES", gpu,
                   reports::printable(problem.what()));
}

// Shards are of one kind of machine. It is said before hours are spent.
void require_one_model(const Words& gpus, const fs::path& worker_program) {
  json first;
  for (const std::string& gpu : gpus) {
    const json kind = kind_of(gpu, worker_program);
    if (first.is_null()) first = kind;
    const json difference = json::diff(first, kind);
    if (!difference.empty())
      throw UsageError(
          "--shards: GPUs {} and {} differ in {}; list GPUs of one kind in CUDA_VISIBLE_DEVICES",
          gpus[0], gpu, difference[0].at("path").get<std::string>());
  }
}

// The words of a shard: the same selection, on GPUs alone, since a CPU has no part for each shard.
Words words_for(const ShardChoice& shard, const std::string& gpu, const Words& typed_words,
                bool names_backend) {
  Words words;
  for (std::size_t i = 0; i < typed_words.size(); ++i)
    if (typed_words[i] == "--shards") ++i;
    else if (!typed_words[i].starts_with("--shards=")) words.push_back(typed_words[i]);
  if (!names_backend) words.insert(words.end(), {"--backend", "cuda"});
  words.insert(words.end(),
               {"--shard", fmt::format("{}/{}", shard.number, shard.of), "--device", gpu});
  return words;
}

struct Running {
  std::string name, command;
  fs::path folder;
  std::unique_ptr<WorkerProcess> process;
  bool is_heard = true;

  // 1: a row failed, or the driver
  bool is_done() const { return process->exit_code() <= 1 && Journal::has_finished_run(folder); }
};

// Prints the next lines of a shard, with its name in place of "ladder".
void pass_on(Running& shard) {
  constexpr milliseconds glance{20};
  constexpr std::string_view own = "ladder: ";
  try {
    while (const auto line = shard.process->receive_line(glance))
      say("{}: {}", shard.name, line->substr(line->starts_with(own) ? own.size() : 0));
  } catch (const WorkerEnded&) {
    shard.is_heard = false;
  }
}

void wait_for(std::vector<Running>& shards) {
  bool is_passed_on = false;
  while (std::ranges::any_of(shards, &Running::is_heard)) {
    if (interrupt::requested() && !is_passed_on) {
      for (Running& shard : shards) shard.process->interrupt();
      is_passed_on = true;
    }
    for (Running& shard : shards)
      if (shard.is_heard) pass_on(shard);
  }
}

}  // namespace

int run_shards(const RunOptions& options, const fs::path& workers, const Words& words) {
  if (options.selection.devices > 0)
    throw UsageError(
        "--shards gives each GPU a part of the rows, and --devices spreads each row over several "
        "GPUs; leave one of them out");
  if (!options.launcher.empty())
    throw UsageError("--launcher needs --devices, which does not go with --shards; leave it out");
  const Catalogue catalogue = catalogue_for_run(options, workers, 0);
  const Words gpus = gpus_for(catalogue, options.shards);
  Selection selection = options.selection;
  const bool names_backend = !selection.backends.empty();
  if (!names_backend) selection.backends = {"cuda"};
  validate(selection, catalogue);
  if (selection.backends != Words{"cuda"})
    throw UsageError("--shards: shards run on the cuda backend alone; leave out --backend");
  make_plan(selection, catalogue);  // says what cannot be run

  const auto of = static_cast<unsigned>(gpus.size());
  std::vector<fs::path> folders;
  for (unsigned number = 1; number <= of; ++number)
    folders.push_back(folder_of({number, of}, options.out));
  require_room_for_merge(options.out);
  if (!options.resume && !options.restart)
    for (const fs::path& folder : folders) Journal::require_none_unfinished(folder);
  require_one_model(gpus, catalogue.backend(reports::Backend::cuda).program);

  std::vector<Running> shards;
  for (unsigned number = 1; number <= of; ++number) {
    Words its = words_for({number, of}, gpus[number - 1], words, names_backend);
    Running& shard = shards.emplace_back(Running{fmt::format("shard {} of {}", number, of),
                                                 typed(its), folders[number - 1], nullptr});
    its.insert(its.begin(), this_program());
    shard.process = std::make_unique<WorkerProcess>(its, WorkerProcess::Heard::errors);
  }
  wait_for(shards);
  const auto missing =
      std::ranges::count_if(shards, [](const Running& shard) { return !shard.is_done(); });
  if (missing == 0) return merge_command(folders, options.out, typed(words));
  if (interrupt::requested()) {
    say("interrupted; the same command with --resume continues from there");
    return 130;
  }
  for (Running& shard : shards)
    if (!shard.is_done())
      say("{} has ended: {}; {} --resume runs it", shard.name, shard.process->how_it_ended(),
          shard.command);
  throw UsageError(
      "{} of {} shards {} missing, and the others are kept; the same command with "
      "--resume runs what is missing, and merges all",
      missing, of, missing == 1 ? "is" : "are");
}

}  // namespace ladder
