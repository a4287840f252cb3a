// `ladder run`: from the user's choice to the files of a result set.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/driver/plan/plan.hpp"
#include "compare/driver/plan/selection.hpp"

namespace ladder {

struct ShardChoice {
  unsigned number = 1, of = 1;
};

struct RunOptions {
  Selection selection = {};
  std::string device = {};  // of the cuda backend; empty: the first
  fs::path out;
  std::optional<ShardChoice> shard = {};  // it has a folder of its own in `out`
  // to run side by side, each on a GPU of its own; 0: this is no such run
  unsigned shards = 0;
  bool resume = false, restart = false;
  double timeout = 60;  // seconds
  // the words before the name of a worker program, one for each device; none: one process has all
  std::vector<std::string> launcher = {};
  // a folder of kernels from elsewhere whose sources the set shall have; empty: none
  fs::path with_sources = {};
};

// command: as typed, for the record. Returns the exit code.
int run_command(const RunOptions& options, const fs::path& workers, const std::string& command);

fs::path folder_of(const ShardChoice& shard, const fs::path& out);

// Its two halves, for a plan from elsewhere. The first prepares this process and asks the workers,
// with a launcher for what can run over so many devices; the second runs the plan and writes its
// set.
Catalogue catalogue_for_run(const RunOptions& options, const fs::path& workers, unsigned devices);
int run_plan(const Plan& plan, const Catalogue& catalogue, const RunOptions& options,
             const std::string& command);

}  // namespace ladder
