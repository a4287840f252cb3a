#include "compare/driver/paper_command.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>
#include <vector>

#include "compare/driver/errors.hpp"
#include "compare/driver/files.hpp"
#include "compare/driver/output.hpp"
#include "compare/driver/result_file.hpp"
#include "compare/driver/samples.hpp"
#include "compare/driver/selection.hpp"
#include "compare/driver/shell.hpp"
#include "compare/driver/temporary_folder.hpp"
#include "reports/citation.hpp"
#include "reports/embedded.hpp"
#include "reports/json.hpp"
#include "reports/packed.hpp"
#include "reports/paper_tables.hpp"
#include "reports/text.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

struct JudgedSet {
  reports::Results results;
  reports::Soundness soundness;
};

JudgedSet read_set(const PaperOptions& options) {
  const fs::path file = result_file(options.file);
  JudgedSet set{reports::read(file), {}};
  validate(options.choice, set.results);
  set.soundness = judge(file, set.results);
  return set;
}

std::string table(const PaperOptions& options, const JudgedSet& set) {
  if (options.format == "csv") return reports::csv(set.results, options.choice);
  if (options.format == "markdown") return reports::short_markdown(set.results, options.choice, set.soundness);
  std::string text = reports::latex_table(set.results, options.choice, set.soundness);
  if (text.empty()) throw UsageError("nothing that was chosen has a time, and a LaTeX table is of times; --format csv and markdown have the counts");
  return text;
}

// The virtual environment that docs/paper.md makes, beside the folder of this program.
fs::path environment() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "python";
}

std::string python() {
  const char* named = std::getenv("LADDER_PYTHON");
  return named != nullptr ? fs::path(named) : environment() / "bin" / "python3";
}

bool runs(const char* command) {
  return captured(command).exit_code == 0;
}

bool has_font() {
  const char* home = std::getenv("HOME");
  for (const fs::path& folder : {fs::path("/usr/share/fonts"), fs::path("/usr/local/share/fonts"), fs::path(home == nullptr ? "/" : home) / ".fonts",
                                 fs::path(home == nullptr ? "/" : home) / ".local/share/fonts"}) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error); !error && at != fs::recursive_directory_iterator(); at.increment(error))
      if (at->path().filename() == "LiberationSans-Regular.ttf") return true;
  }
  return false;
}

// The one command that brings what is missing. Empty: nothing is.
std::string command_for_what_is_missing() {
  std::vector<std::string> packages, commands;
  if (!runs("rsvg-convert --version")) packages.emplace_back("librsvg2-bin");
  if (!has_font()) packages.emplace_back("fonts-liberation");
  if (!packages.empty()) commands.push_back("apt-get install --no-install-recommends " + reports::joined(packages, " "));
  if (!runs("\"$LADDER_DRAWS\" -c 'import vl_convert'")) {
    const fs::path folder = environment();
    const char* root = std::getenv("LADDER_ROOT");
    commands.push_back(fmt::format("python3 -m venv {0} && {0}/bin/pip install --require-hashes -r {1}reports/figures/requirements.txt",
                                   folder.string(), root == nullptr ? "" : std::string(root) + '/'));
  }
  return reports::joined(commands, " && ");
}

// The names of folders reach the shell as variables, which it does not read as commands.
reports::Files drawn(const reports::Files& specifications) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : specifications) write_file(folder / name.c_str(), text);
  write_file(folder / "draw.py", reports::embedded("figures/draw.py"));
  setenv("LADDER_FOLDER", (folder / "").c_str(), 1);
  setenv("SOURCE_DATE_EPOCH", "0", 1);
  const Said said = captured("cd \"$LADDER_FOLDER\" && \"$LADDER_DRAWS\" -B draw.py .");
  if (said.exit_code != 0) throw UsageError("the figures cannot be drawn: " + reports::printable(said.text));
  reports::Files files;
  for (const auto& [name, text] : specifications)
    for (const char* ending : {".svg", ".pdf"}) {
      const std::string other = name.substr(0, name.find(".vl.json")) + ending;
      std::ifstream in(folder / other.c_str(), std::ios::binary);
      files[other] = {std::istreambuf_iterator<char>(in), {}};
    }
  return files;
}

}  // namespace

int table_command(const PaperOptions& options) {
  const std::string text = table(options, read_set(options));
  if (options.out.empty()) fmt::print("{}", text);
  else write_file(options.out, text);
  return 0;
}

int cite_command(const PaperOptions& options) {
  const JudgedSet set = read_set(options);
  fmt::print("{}", reports::citation(set.results, options.choice, set.soundness, options.for_latex));
  return 0;
}

int figures_command(const PaperOptions& options) {
  const JudgedSet set = read_set(options);
  const fs::path folder = options.out.empty() ? result_file(options.file).parent_path() / "figures" : options.out;
  const auto specifications = reports::paper_figures(set.results, options.choice, options.width_mm);
  if (specifications.empty()) throw UsageError("nothing that was chosen is enough for a figure; choose less");
  write_report(folder, specifications);
  setenv("LADDER_DRAWS", python().c_str(), 1);
  if (const std::string command = command_for_what_is_missing(); !command.empty())
    throw UsageError(fmt::format("{} in {}; SVG and PDF need more, which this installs: {}",
                                 reports::counted(specifications.size(), "specification is", "specifications are"), folder.string(), command));
  write_report(folder, drawn(specifications));
  fmt::print("{} as Vega-Lite, SVG and PDF in {}\n", reports::counted(specifications.size(), "figure", "figures"), folder.string());
  return 0;
}

}  // namespace ladder
