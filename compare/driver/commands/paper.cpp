#include <fmt/format.h>
#include <stdlib.h>

#include <system_error>
#include <vector>

#include "compare/driver/commands/commands.hpp"
#include "compare/driver/disk/find_result_file.hpp"
#include "compare/driver/disk/temporary_folder.hpp"
#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/plan/selection.hpp"
#include "compare/driver/results/read_sets.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "compare/driver/results/write_result_set.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/places.hpp"
#include "compare/driver/terminal/say.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/figures/left_out.hpp"
#include "reports/formats/html/several_sets.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/json.hpp"
#include "reports/text/embedded.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/wrap.hpp"

namespace ladder {
namespace {

constexpr std::size_t most_figures = 300;  // drawn in a minute

// The name of a picture, by the name of its specification.
std::string with_ending(const std::string& name, const char* ending) {
  return name.substr(0, name.find(".vl.json")) + ending;
}

struct ChosenReport {
  ChosenReport(const PaperOptions& options, const fs::path& given)
      : file(result_file(given)),
        results(reports::read(file)),
        soundness(judge(file, results)),
        report(results, {}, soundness) {
    report.choice = options.choice;
    validate(report.choice, results);
    report.figure_width_mm = options.width_mm;
  }

  const fs::path file;
  const reports::Results results;
  const reports::Soundness soundness;
  reports::Report report;
};

std::string table(const PaperOptions& options, const reports::Report& report) {
  std::string text = text_of(options.format == "csv" ? "csv" : options.format + "_table", report);
  if (text.empty())
    throw UsageError(
        "a LaTeX table shows times, and no selected row has one; --format csv and markdown have "
        "the counts");
  return text;
}

// The virtual environment that docs/paper.md makes, beside the folder of this program.
fs::path environment() {
  return this_program().parent_path().parent_path() / "python";
}

std::string python() {
  const std::string named = environment_variable("LADDER_PYTHON");
  if (named.empty()) return environment() / "bin" / "python3";
  return named.find('/') == named.npos ? named : fs::absolute(named).string();
}

bool runs(const char* command) {
  return captured(command).exit_code == 0;
}

bool has_font() {
  const fs::path home = '/' + environment_variable("HOME");
  for (const fs::path& folder : {fs::path("/usr/share/fonts"), fs::path("/usr/local/share/fonts"),
                                 home / ".fonts", home / ".local/share/fonts"}) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error);
         !error && at != fs::recursive_directory_iterator(); at.increment(error))
      if (at->path().filename() == "LiberationSans-Regular.ttf") return true;
  }
  return false;
}

// The one command that brings what is missing. Empty: nothing is.
std::string command_for_what_is_missing() {
  std::vector<std::string> packages, commands;
  if (!runs("rsvg-convert --version")) packages.emplace_back("librsvg2-bin");
  if (!has_font()) packages.emplace_back("fonts-liberation");
  if (!packages.empty())
    commands.push_back("apt-get install --no-install-recommends " + reports::joined(packages, " "));
  if (!runs("\"$LADDER_DRAWS\" -I -c 'import vl_convert'")) {
    const fs::path folder = environment();
    const fs::path packages_of_python = checkout() / "reports/formats/figures/requirements.txt";
    commands.push_back(
        fmt::format("python3 -m venv {0} && {0}/bin/pip install --require-hashes -r {1}",
                    quoted(reports::printable(folder.string())),
                    quoted(reports::printable(packages_of_python.string()))));
  }
  return reports::joined(commands, " && ");
}

std::string last_line(std::string text) {
  text.erase(text.find_last_not_of(" \n") + 1);
  return text.substr(text.rfind('\n') + 1);
}

// The names of folders reach the shell as variables, which it does not read as commands.
reports::Files drawn(const reports::Files& specifications) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : specifications) write_file(folder / name.c_str(), text);
  write_file(folder / "draw.py", reports::embedded("figures/draw.py"));
  setenv("LADDER_FOLDER", (folder / "").c_str(), 1);
  setenv("SOURCE_DATE_EPOCH", "0", 1);
  const Said said = captured("cd \"$LADDER_FOLDER\" && \"$LADDER_DRAWS\" -I -B draw.py .");
  if (said.exit_code != 0)
    throw UsageError("the figures cannot be drawn: " + reports::printable(last_line(said.text)));
  reports::Files files;
  for (const auto& [name, text] : specifications)
    for (const char* ending : {".vl.json", ".svg", ".pdf"}) {  // draw.py fits panels
      const std::string other = with_ending(name, ending);
      files[other] = read_text(folder / other.c_str());
      if (files[other].empty())
        throw UsageError("the figures cannot be drawn: {} did not come out", other);
    }
  return files;
}

void draw(const reports::Files& specifications, const fs::path& folder) {
  setenv("LADDER_DRAWS", python().c_str(), 1);
  const std::string where = reports::printable(folder.string());
  if (const std::string command = command_for_what_is_missing(); !command.empty()) {
    write_report(folder, specifications);
    std::error_code none;
    // what was drawn before is of other specifications
    for (const auto& [name, text] : specifications)
      for (const char* ending : {".svg", ".pdf"})
        fs::remove(folder / with_ending(name, ending), none);
    throw UsageError(
        "{} in {}; SVG and PDF need more tools, which this installs: {}",
        reports::counted(specifications.size(), "specification is", "specifications are"), where,
        command);
  }
  write_report(folder, drawn(specifications));
  fmt::print("{} as Vega-Lite, SVG and PDF in {}\n",
             reports::counted(specifications.size(), "figure"), where);
}

int figure_of_several(const PaperOptions& options) {
  if (options.out.empty())
    throw UsageError("a figure of several sets needs a folder of its own: --out DIR");
  if (options.choice != reports::Choice())
    throw UsageError("a figure of several sets has all operations; leave out the selection");
  const std::string figure = reports::sets_figure(read_sets(options.files), options.width_mm);
  if (figure.empty())
    throw UsageError("too few rows for a figure: no kernel was compared with a library");
  draw({{"sets.vl.json", figure}}, options.out);
  return 0;
}

}  // namespace

int table_command(const PaperOptions& options) {
  const ChosenReport chosen(options, options.file);
  const std::string text = table(options, chosen.report);
  if (options.out.empty()) {
    fmt::print("{}", text);
  } else {
    std::error_code none;
    if (fs::equivalent(options.out, chosen.file, none))
      throw UsageError("--out: {} is the input; choose another name", options.out.string());
    if (options.out.has_parent_path()) fs::create_directories(options.out.parent_path(), none);
    write_file(options.out, text);
    fmt::print("table: {}\n", reports::one_line(options.out.string()));
  }
  return 0;
}

int cite_command(const PaperOptions& options) {
  const ChosenReport chosen(options, options.file);
  const reports::Report& report = chosen.report;
  fmt::print("{}", reports::format_of("bibtex").files(report).at(
                       options.for_latex ? "citation_for_latex.bib" : "citation.bib"));
  if (report.choice != reports::Choice() &&
      !reports::chosen_cell(report.results.cells, report.choice, report.set.order))
    say("no number is cited, because the options do not choose a single row with a time or "
        "counts");
  return 0;
}

int figures_command(const PaperOptions& options) {
  if (options.files.size() > 1) return figure_of_several(options);
  const ChosenReport chosen(options, options.files.empty() ? "" : options.files[0]);
  const auto specifications = reports::format_of("figures").files(chosen.report);
  if (specifications.empty())
    throw UsageError("too few rows are selected for a figure; use fewer options");
  if (specifications.size() > most_figures)
    throw UsageError("this selection has {} figures; select fewer by --operation, {} at most",
                     specifications.size(), most_figures);
  draw(specifications, options.out.empty() ? chosen.file.parent_path() / "figures" : options.out);
  if (const std::string left_out = left_out_figures(chosen.report); !left_out.empty())
    fmt::print("{}", reports::wrapped(fmt::format("Not drawn: {}.\n", left_out)));
  return 0;
}

}  // namespace ladder
