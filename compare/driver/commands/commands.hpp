// The commands: what each takes from the command line. Each returns its exit code, and throws
// UsageError, or reports::BadFile for what is no result file. A result file is a results.json, or
// its folder; check, report, table, cite and figures take that of the latest run where none is
// given.
#pragma once

#include <string>
#include <vector>

#include "compare/driver/commands/run.hpp"
#include "reports/formats/figures/figures.hpp"
#include "reports/numbers/chosen_cells.hpp"

namespace ladder {

// `ladder check`: is this result set sound, whoever it is from? 0 sound, 1 not.
int check_command(const fs::path& file, bool as_json);

// `ladder compare`: two result sets, row by row. 1 where a row is slower and that was to fail.
struct CompareOptions {
  fs::path a, b;
  bool as_json = false;
  bool fail_on_slower = false;
};
int compare_command(const CompareOptions& options);

// `ladder merge`: the shards of one run, result sets of `ladder run --shard`, become one result
// set. command: as typed, for the record. Throws where they are not all the shards of one run.
int merge_command(const std::vector<fs::path>& files, const fs::path& out,
                  const std::string& command);
// Throws UsageError where a merged set cannot go into this folder.
void require_room_for_merge(const fs::path& out);

// `ladder run --shards`: the shards of a run side by side, each on a GPU of its own, and their
// merge. words: as typed; each shard is run with the same, and --shard and --device in place of
// --shards.
int run_shards(const RunOptions& options, const fs::path& workers,
               const std::vector<std::string>& words);

// `ladder report`: renders result sets as pages. files: one set, several to show side by side, or
// none. out: the folder for the report; empty: that of the only file.
int report_command(const std::vector<fs::path>& files, const fs::path& out);

// `ladder table`, `ladder cite` and `ladder figures`: what goes from a result set into a paper.
struct PaperOptions {
  fs::path file;
  std::vector<fs::path> files;  // in its place, of figures
  reports::Choice choice;
  // of a table: a file, empty for standard output; of figures: a folder, empty for figures/ beside
  // the file
  fs::path out;
  std::string format = "markdown";       // of a table
  bool for_latex = false;                // a citation
  double width_mm = reports::column_mm;  // of figures
};
int table_command(const PaperOptions& options);
int cite_command(const PaperOptions& options);
int figures_command(const PaperOptions& options);

// `ladder publish`: puts the result sets of a GPU where this checkout publishes them. given: of one
// GPU, a full study and, where it did not read the GPU's counters, a run that did. 1 where they
// cannot be published, and then says why and writes nothing.
int publish_command(const std::vector<fs::path>& given);
// `ladder site`: writes the published sets as a static site. Returns the exit code.
int site_command(const fs::path& out);

// `ladder new`: writes a file to start a rung from, a copy of another rung under another name with
// a card to fill in. name: "reduce/my_kernel", the folder of its operation below handwritten/, and
// its own name. like: the rung to copy; empty: the first of its ladder. folder: of the user's
// kernels.
int new_command(const std::string& name, std::string like, const fs::path& folder);

// `ladder reproduce`: runs the rows of a result set again, and says whether its ratios and counts
// are those of this machine. options: of its selection, the choice of rows alone is used. command:
// as typed, for the record. 0 reproduced, 1 not. Throws UsageError where nothing of the set can be
// run or compared here.
int reproduce_command(const fs::path& given, const RunOptions& options, const fs::path& workers,
                      const std::string& command);

}  // namespace ladder
