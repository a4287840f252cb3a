#include "compare/driver/commands/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "compare/driver/commands/check_kernels.hpp"
#include "compare/driver/commands/commands.hpp"
#include "compare/driver/commands/completion.hpp"
#include "compare/driver/commands/list.hpp"
#include "compare/driver/commands/run.hpp"
#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/plan/preset.hpp"
#include "compare/driver/terminal/did_you_mean.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/exit_code.hpp"
#include "compare/driver/terminal/lists.hpp"
#include "compare/driver/terminal/parse_size.hpp"
#include "compare/driver/terminal/places.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "compare/driver/terminal/version.hpp"
#include "reports/file/schema.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/json.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/wrap.hpp"

namespace ladder {
namespace {

// CLI11 alone would take 010 for 8, an empty word for 0, and a number that is too large for the
// largest there is.
auto whole_number_to(std::uint64_t most) {
  return [most](const std::string& word) {
    const auto number = whole_number(word);
    return number && *number <= most
               ? ""
               : fmt::format("\"{}\" is not a whole number from 0 to {}", word, most);
  };
}

auto number_between(const char* of, double least, double most) {
  return [=](const std::string& word) {
    const auto number = number_in<double>(word);
    const bool good = number && *number >= least && *number <= most;  // nan is not
    return good ? ""
                : fmt::format("\"{}\" is not a number of {} from {} to {}", word, of, least, most);
  };
}

// Nothing where the word is none, such as 2/7.
std::optional<ShardChoice> shard_choice(const std::string& word) {
  const auto slash = std::min(word.find('/'), word.size());
  const auto number = whole_number(word.substr(0, slash)),
             of = whole_number(word.substr(std::min(slash + 1, word.size())));
  if (!number || !of || *number < 1 || *number > *of || *of > reports::most("merged")) return {};
  return ShardChoice{static_cast<unsigned>(*number), static_cast<unsigned>(*of)};
}

// An empty word is most often a variable of a script that was not set.
std::string error_if_empty(const std::string& word) {
  return word.empty() ? "an empty word is not a name" : "";
}

// What --help calls a value, and shells complete (completion.hpp).
std::string one_of(const auto& names) {
  return fmt::format("{{{}}}", fmt::join(names, ","));
}

// Takes one of these names.
CLI::Option* name_option(CLI::App& command, const char* name, std::string& value, const char* what,
                         const auto& names, const char* help) {
  const auto check = [what, names = std::vector<std::string>(names.begin(), names.end())](
                         const std::string& word) {
    return has(names, word)
               ? ""
               : fmt::format("there is no {} \"{}\"; {}", what, word, instead_of(word, names));
  };
  return command.add_option(name, value, help)
      ->type_name(one_of(names))
      ->check(check)
      ->capture_default_str();
}

// Takes any word but an empty one.
CLI::Option* word_option(CLI::App& command, const char* name, auto& value, const char* value_name,
                         const std::string& help) {
  return command.add_option(name, value, help)->type_name(value_name)->check(error_if_empty);
}

void file_option(CLI::App& command, const char* name, auto& file, const char* help) {
  word_option(command, name, file, "FILE", help)->required();
}

// The set that `run` has written, unless the user names another.
void latest_option(CLI::App& command, const char* name, auto& file, const std::string& help) {
  word_option(command, name, file, "FILE", help + " [reports/latest]");
}

void add_value(const char*, const std::string& word, std::vector<std::string>& names) {
  names.push_back(word);
}

void add_value(const char* option, const std::string& word, std::vector<unsigned>& numbers) {
  const std::string wrong = whole_number_to(std::numeric_limits<unsigned>::max())(word);
  if (!wrong.empty()) throw UsageError("{}: {}", option, wrong);
  numbers.push_back(static_cast<unsigned>(*whole_number(word)));
}

// An option that may be given several times, or once with commas. CLI11 alone would leave out an
// empty word beside a comma.
template <class T>
void list_option(CLI::App& command, const char* name, std::vector<T>& values,
                 const std::string& value_name, const std::string& help) {
  const auto take = [&values, name](const std::vector<std::string>& words) {
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      static_cast<void>(name);
      values = parse_sizes(words);
    } else {
      for (const std::string& word : words)
        for (const std::string& part : between_commas(word)) add_value(name, part, values);
    }
    return true;
  };
  command.add_option(name, take, help)->take_all()->type_name(value_name);
}

void operation_option(CLI::App& command, reports::Choice& choice) {
  list_option(command, "--operation", choice.operations, "OPERATION",
              "Operations, such as reduce or '*scan' [all]");
}

void rung_option(CLI::App& command, reports::Choice& choice, std::string_view or_file = "") {
  list_option(command, "--rung", choice.rungs, "RUNG",
              fmt::format("Rungs: names or patterns such as 'waves*'; with / they match "
                          "operation/name, provider/operation/name{}: 'reduce/*' [all]",
                          or_file));
}

// What is chosen where the user does not choose.
struct Defaults {
  const char *operators, *dtypes, *sizes, *distributions = "", *bins = "", *offsets = "";
};

void type_and_size_options(CLI::App& command, reports::Choice& choice, const Defaults& defaults) {
  list_option(command, "--operator", choice.operators, "OPERATOR",
              fmt::format("Operators, such as sum,min [{}]", defaults.operators));
  list_option(command, "--dtype", choice.dtypes,
              one_of(reports::each(reports::element_types, &reports::ElementType::name)),
              fmt::format("Element types [{}]", defaults.dtypes));
  list_option(command, "--size", choice.sizes, "SIZE",
              fmt::format("Numbers of elements: 1000, 2^16 or 1e6 [{}]", defaults.sizes));
}

void input_options(CLI::App& command, Selection& choice, const Defaults& defaults) {
  operation_option(command, choice);
  type_and_size_options(command, choice, defaults);
  rung_option(command, choice, " or file");
  list_option(command, "--distribution", choice.distributions, "DISTRIBUTION",
              fmt::format("Input values [{}]", defaults.distributions));
  list_option(command, "--bins", choice.bins, "NUMBER",
              fmt::format("Bins of a histogram [{}]", defaults.bins));
  list_option(command, "--offset", choice.offsets, "NUMBER",
              fmt::format("Elements by which arrays are displaced, 0 to {}. 1: all arrays alike; "
                          "more: each array farther than the one before [{}]",
                          reports::most_offset, defaults.offsets));
}

// name: "--" and what is counted. takes_all: also the word "all".
CLI::Option* devices_option(CLI::App& command, const char* name, unsigned& number_of,
                            bool takes_all, const std::string& help) {
  const auto take = [&number_of](const std::string& word) {
    number_of = word == "all" ? all_devices : static_cast<unsigned>(whole_number(word).value_or(0));
  };
  return command.add_option_function<std::string>(name, take, help)
      ->type_name("K")
      ->check([name, takes_all](const std::string& word) {
        const auto number = whole_number(word);
        if ((takes_all && word == "all") ||
            (number && *number >= 1 && *number <= reports::most_devices))
          return std::string();
        return fmt::format("\"{}\" is not a number of {} from 1 to {}{}", word, name + 2,
                           reports::most_devices, takes_all ? ", nor all" : "");
      });
}

// CLI11 alone would take --resume=false, and --resume=5.
CLI::Option* flag(CLI::App& command, const char* name, bool& is_given, const char* help) {
  return command.add_flag(name, is_given, help)->check([](const std::string& value) {
    return value == "true" ? "" : fmt::format("it takes no value; leave out \"={}\"", value);
  });
}

void device_option(CLI::App& command, std::string& device) {
  word_option(command, "--device", device, "GPU", "GPU: its CUDA number, or its UUID [the first]");
}

void timeout_option(CLI::App& command, double& seconds, const char* help) {
  command.add_option("--timeout", seconds, help)
      ->check(number_between("seconds", 0.1, 86400))
      ->capture_default_str();
}

// How whatever is planned is run.
void running_options(CLI::App& command, RunOptions& options) {
  device_option(command, options.device);
  timeout_option(command, options.timeout,
                 "Seconds without a reply after which a rung is given up");
  word_option(command, "--out", options.out, "DIR",
              "Folder for results.json, report.html, report.md, samples.jsonl.bz2 and the journal "
              "[reports/latest]");
  CLI::Option* const resume =
      flag(command, "--resume", options.resume,
           "Continue the unfinished run in --out; repeat its other options");
  flag(command, "--restart", options.restart, "Drop the unfinished run in --out, and begin again")
      ->excludes(resume);
}

void launcher_option(CLI::App& command, RunOptions& options, const std::string& condition) {
  const auto take = [&options](const std::string& words) {
    std::istringstream in(words);
    options.launcher = {std::istream_iterator<std::string>(in), {}};
  };
  command
      .add_option_function<std::string>(
          "--launcher", take,
          condition +
              ": start a process for each device with this command, such as \"mpirun -n 1\", "
              "\"srun -N1 -n1\", \"ssh HOST\", or \"env\" for this machine")
      ->type_name("WORDS")
      ->check([](const std::string& words) {
        return words.find_first_not_of(" \t\n\v\f\r") == words.npos ? "an empty word starts nothing"
                                                                    : "";
      });
}

class CommandLine {
 public:
  explicit CommandLine(std::vector<std::string> words) : words_(std::move(words)) {
    app_.require_subcommand(1);
    add_run();
    add_merge();
    add_report();
    add_paper();
    add_check();
    add_check_kernels();
    add_compare();
    add_reproduce();
    add_prove_clock();
    add_list();
    add_new();
    add_publish();
    add_site();
    add_completion();
    add("test",
        "Build everything, and run every test that this machine can run; ./ladder test --help",
        []() -> int {
          throw UsageError("the script ./ladder of the checkout builds the tests and runs them");
        })
        .allow_extras();
    app_.footer(
        "Without a command, ladder runs the study: ladder --size 2^20 is ladder run --size 2^20.\n"
        "Exit codes: 0 good; 1 a verdict failed, a set is not sound or cannot be published, a "
        "kernel has a finding or was not checked, a row is "
        "slower (with --fail-on-slower), a set is not reproduced, or the clock is not right; 2 bad "
        "usage, a bad file, every row of a run skipped, or "
        "no GPU for prove-clock; 130 interrupted.");
    app_.set_version_flag(
        "--version",
        fmt::format("Kernel Ladder {}\ncommit {}{}\nschema of results.json {}", source_version,
                    source_commit, source_dirty ? " with changes" : "", reports::schema_version),
        "Print version, commit and schema, and exit");
  }

  int execute() {
    std::vector<std::string> words = words_;
    if (std::error_code gone; fs::current_path(gone).empty())
      throw UsageError("the current folder no longer exists; change to another one");
    if (words.size() > 1 && words[0] == "--complete")  // as a script of `completion` asks
      return print(completed(app_, {words.begin() + 1, words.end()},
                             [this](std::string_view list) { return names(list); }));
    if (has(words, "--"))
      throw UsageError(
          "the word \"--\" has no meaning here; leave it out, and write ./-x for a file -x");
    const bool names_no_command =
        words.empty() ||
        (words[0].starts_with('-') && !has(std::array{"--help", "-h", "--version"}, words[0]));
    if (names_no_command) words.insert(words.begin(), "run");
    check_command_name(words[0]);
    std::ranges::reverse(words);  // as CLI11 takes them
    app_.parse(std::move(words));
    return exit_code_;
  }

  int help(const CLI::ParseError& wish) {
    std::ostringstream out;
    app_.exit(wish, out);
    return print(reports::wrapped(out.str()));
  }

  // A sentence in place of the library's, "files is required".
  std::string required(const CLI::RequiredError& problem) const {
    const std::string what = problem.what(), command = app_.get_subcommands().at(0)->get_name();
    return fmt::format("{} needs {}; ./ladder {} --help shows the usage", command,
                       what.substr(0, what.find(" is required")), command);
  }

  // A sentence about the words that no option takes, as typed.
  std::string unexpected() const {
    const std::vector<std::string> words = app_.remaining(true);
    const auto option =
        std::ranges::find_if(words, [](const std::string& word) { return word.starts_with('-'); });
    const CLI::App& command = *app_.get_subcommands().at(0);
    const std::string help = fmt::format("./ladder {} --help", command.get_name());
    if (option == words.end())
      return fmt::format("\"{}\" is one word too many; {} shows the usage", words.at(0), help);
    std::vector<std::string> names;
    for (const CLI::Option* one : command.get_options())
      for (const std::string& name : one->get_lnames()) names.push_back("--" + name);
    const std::string* const meant = meant_by(option->substr(0, option->find('=')), names);
    return fmt::format("there is no option \"{}\"; {}", *option,
                       meant == nullptr ? help + " lists them" : "did you mean " + *meant + "?");
  }

 private:
  static int print(const std::string& text) {
    fmt::print("{}", text);
    return 0;
  }

  void check_command_name(const std::string& word) const {
    const auto names = reports::each(app_.get_subcommands({}), &CLI::App::get_name);
    if (!word.starts_with('-') && !has(names, word))
      throw UsageError("there is no command \"{}\"; {}", word,
                       instead_of(word, names, "./ladder --help"));
  }

  CLI::App& add(const char* name, const char* help, std::function<int()> action) {
    const auto run = [this, action = std::move(action)] { exit_code_ = action(); };
    return *app_.add_subcommand(name, help)->final_callback(run);
  }

  void add_kernels(
      CLI::App& command,
      const char* help = "Folder of your own kernels, to add to those of this project") {
    word_option(command, "--kernels", kernels_, "DIR", help);
  }

  fs::path workers() const { return workers_folder(kernels_); }

  void add_run() {
    RunOptions& options = run_options_;
    Selection& choice = options.selection;
    CLI::App& run = add(
        "run",
        "Run the study, or a part of it, and write a result set [the quick study of this machine]",
        [this, &options] {
          if (with_sources_) options.with_sources = kernels_;
          return options.shards > 0 ? run_shards(options, workers(), words_)
                                    : run_command(options, workers(), typed(words_));
        });
    constexpr const char* by_preset = "as the preset says";
    input_options(run, choice, {by_preset, by_preset, by_preset, by_preset, by_preset, by_preset});
    list_option(run, "--provider", choice.providers, "PROVIDER",
                "Providers of implementations: handwritten, thrust, std .. [all]");
    devices_option(run, "--devices", choice.devices, true,
                   fmt::format("Spread the data over K devices of this machine, 1 to {}, or all "
                               "for all GPUs. Runs the rungs for such data, and the rungs on "
                               "one device that they follow",
                               reports::most_devices));
    launcher_option(run, options, "With --devices");
    list_option(run, "--backend", choice.backends, one_of(reports::words<reports::Backend>),
                "Backends [all that run here]");
    list_option(run, "--contract", choice.contracts, one_of(reports::words<reports::Contract>),
                "What is timed [as the preset says]");
    list_option(run, "--cache", choice.caches, one_of(reports::words<reports::Cache>),
                "State of the caches before a timed run [as the preset says]");
    run.add_option("--seed", choice.seed, "Seed of the inputs and of the order of competitors")
        ->check(whole_number_to(std::numeric_limits<std::uint64_t>::max()))
        ->capture_default_str();
    const CLI::Option* const preset =
        name_option(run, "--preset", choice.preset, "preset", preset_names,
                    "The plan of the study, see below; devices is the default of --devices");
    run.parse_complete_callback([&choice, preset] {
      if (choice.devices > 0 && preset->empty()) choice.preset = preset_over_devices;
    });
    flag(run, "--counters", choice.counters,
         "On a GPU: also read its hardware counters for one run of each device_result: bytes, "
         "sectors, wavefronts");
    run.add_option_function<std::string>(
           "--shard", [&options](const std::string& word) { options.shard = shard_choice(word); },
           "Run one of several shards, such as 2/7, the second of seven: each on a machine or GPU "
           "of its own, with the same other options. Its folder is in --out, and ./ladder merge "
           "joins all shards")
        ->type_name("I/K")
        ->check([](const std::string& word) {
          return shard_choice(word) ? ""
                                    : fmt::format(
                                          "\"{}\" is not a shard; write 2/7 for the second of "
                                          "seven, of {} at most",
                                          word, reports::most("merged"));
        });
    add_kernels(run);
    run.add_flag("--with-sources", with_sources_,
                 "Also put the sources of --kernels into the result set, for whoever gets it; it "
                 "always has those of this project")
        ->needs(run.get_option("--kernels"));
    running_options(run, options);
    devices_option(run, "--shards", options.shards, true,
                   "Run K shards side by side, each on a GPU of its own, or all for all GPUs, and "
                   "merge them into --out")
        ->excludes(run.get_option("--shard"))
        ->excludes(run.get_option("--device"));
    run.footer(
        "Presets:\n"
        "  quick     about a minute\n"
        "  notes     the experiment of each study note; about a minute without a GPU\n"
        "  full      six processes, more sizes, and notes; about 8 minutes on an H200 with "
        "--backend cuda,emulated\n"
        "  wide      the rungs of the targets and every library, on every operator, type and input "
        "of the targets, on odd sizes and on displaced "
        "arrays; half an hour on an H200\n"
        "  counters  every rung on three sizes, for --counters\n"
        "  devices   for --devices\n"
        "Exit codes: 0 good; 1 a row failed, or the set is not sound; 2 bad usage, a bad file, "
        "every row skipped, or a launcher that starts nothing; "
        "130 interrupted.");
  }

  void add_merge() {
    CLI::App& merge = add("merge", "Join the shards of a run into one result set",
                          [this] { return merge_command(files_, out_, typed(words_)); });
    file_option(merge, "files", files_, "The results.json of each shard, or its folder");
    word_option(merge, "--out", out_, "DIR",
                "Folder for results.json, report.html, report.md and samples.jsonl.bz2")
        ->required();
    merge.footer(
        "All shards must have the same plan, commit, software and kind of machine; see "
        "docs/shards.md.");
  }

  void add_report() {
    CLI::App& report = add("report", "Render a results.json as report.html and report.md",
                           [this] { return report_command(files_, out_); });
    latest_option(report, "files", files_,
                  "A results.json or results.json.bz2, or its folder; several sets are shown side "
                  "by side, and need --out");
    word_option(report, "--out", out_, "DIR",
                "Folder for report.html, report.md and report/ [the folder of the file]; for "
                "several sets: for sets.html and sets.md");
  }

  // The options that choose rows of a set.
  static void add_rows(CLI::App& command, reports::Choice& choice, const char* otherwise) {
    operation_option(command, choice);
    type_and_size_options(command, choice, {otherwise, otherwise, otherwise});
    rung_option(command, choice);
  }

  CLI::App& add_for_paper(const char* name, const char* help, int (*action)(const PaperOptions&),
                          bool takes_several = false) {
    CLI::App& command = add(name, help, [this, action] { return action(paper_options_); });
    if (takes_several)
      latest_option(
          command, "files", paper_options_.files,
          std::string(one_set) + "; several sets are drawn in one figure, and need --out");
    else latest_option(command, "file", paper_options_.file, one_set);
    add_rows(command, paper_options_.choice, "the most telling one");
    return command;
  }

  void add_paper() {
    CLI::App& table = add_for_paper("table",
                                    "Write a result set as a table: every row as CSV, or the most "
                                    "telling rows as LaTeX or Markdown",
                                    table_command);
    name_option(table, "--format", paper_options_.format, "format",
                std::array{"csv", "latex", "markdown"},
                "csv: every row of the selection, every field; latex and markdown: the most "
                "telling rows");
    word_option(table, "--out", paper_options_.out, "FILE", "File to write [standard output]");
    CLI::App& figures = add_for_paper(
        "figures",
        "Write the figures of a result set for a paper: Vega-Lite specifications, SVG and PDF",
        figures_command, true);
    word_option(figures, "--out", paper_options_.out, "DIR",
                "Folder for the figures [figures/ beside the file]");
    figures.add_option("--width", paper_options_.width_mm, "Width of a figure in mm")
        ->check(number_between("mm", 40, 400))
        ->capture_default_str();
    figures.footer(
        "SVG and PDF need vl-convert, librsvg and Liberation Sans; if one is missing, the message "
        "has the command that installs it.\n"
        "docs/paper.md has an example.");
    CLI::App& cite = add_for_paper("cite",
                                   "Print a citation of a result set: BibTeX, a sentence on the "
                                   "method, and one on a chosen number",
                                   cite_command);
    flag(cite, "--latex", paper_options_.for_latex, "Write the sentences as LaTeX");
    cite.footer(
        "The output can be saved as a .bib file, because BibTeX skips the sentences. If the "
        "selection is a single row, its number is printed too.");
  }

  void add_check() {
    CLI::App& check = add("check",
                          "Say whether a result set is sound: whether its id is right, and its "
                          "numbers agree with each other",
                          [this] { return check_command(file_, as_json_); });
    latest_option(
        check, "file", file_,
        "A results.json or results.json.bz2, or its folder; samples.jsonl.bz2 beside it is "
        "checked too");
    flag(check, "--json", as_json_,
         "Print a JSON object: file, sound, rows, errors and warnings (each with where and what), "
         "targets, samples");
    check.footer("Exit codes: 0 sound; 1 not sound; 2 no result file.");
  }

  void add_check_kernels() {
    CheckKernelsOptions& options = check_kernels_options_;
    CLI::App& check = add("check-kernels",
                          "Check every rung, without a GPU, for races, reads of unwritten memory, "
                          "accesses out of bounds and missed barriers",
                          [this, &options] { return check_kernels_command(options, workers()); });
    input_options(check, options.selection,
                  {"the first of each operation", "i32, where there is one",
                   "0, 1, 1024, 1025, 4095, 10007 and 40009", "the usual ones of each operation",
                   "the usual number", "0"});
    devices_option(check, "--devices", options.selection.devices, false,
                   "Number of devices, for rungs over devices; without --rung only those are "
                   "checked [1, 2 and 3]");
    flag(check, "--quick", options.quick, "Check three sizes only, without variations");
    check
        .add_option("--seeds", options.seeds,
                    "Random orders of threads to try, besides the regular one")
        ->check(whole_number_to(10'000))
        ->capture_default_str();
    timeout_option(check, options.timeout,
                   "Seconds for one order of threads before a rung is given up");
    add_kernels(check, "Folder of your own kernels; without --rung only these are checked");
    flag(check, "--json", options.as_json, "Print a JSON array, one object for each rung");
    check.footer(
        "Without --operator, --dtype, --size, --distribution, --bins, --offset and --quick, the "
        "checker also runs all pairs of types, operators, distributions, sizes, "
        "bins, offsets and sizes of the GPU.\n"
        "Exit codes: 0 every rung is as registered; 1 a right rung has a finding, a rung that is "
        "wrong on purpose has none, a rung was not "
        "checked, or a file does not compile.\n"
        "docs/checker.md says how the checker works and what it cannot see.");
  }

  void add_compare() {
    CLI::App& compare = add("compare", "Compare two result sets row by row: B against A",
                            [this] { return compare_command(compare_options_); });
    file_option(compare, "A", compare_options_.a, one_set);
    file_option(compare, "B", compare_options_.b, "Another one");
    flag(compare, "--json", compare_options_.as_json,
         "Print a JSON object with every row; docs/comparing.md describes it");
    flag(compare, "--fail-on-slower", compare_options_.fail_on_slower,
         "Exit with code 1 if a row of B is slower");
    compare.footer(
        "A row is faster or slower if the 95 % interval of its ratio (Welch's t) does not contain "
        "1.\n"
        "If the GPUs are different models, only the ratios to the fastest library are compared.");
  }

  void add_reproduce() {
    RunOptions& options = run_options_;
    CLI::App& reproduce = add(
        "reproduce",
        "Run the rows of a result set again, and say whether their counts and ratios agree",
        [this, &options] { return reproduce_command(file_, options, workers(), typed(words_)); });
    file_option(reproduce, "file", file_, one_set);
    add_rows(reproduce, options.selection, "all");
    launcher_option(reproduce, options, "For rows of such a run");
    add_kernels(reproduce);
    running_options(reproduce, options);
    reproduce.footer(
        "Counts of the emulated backend must be equal to the digit, on any machine. Ratios to the "
        "fastest library must agree by their intervals; "
        "only as many rows may differ as chance explains. Rows that do not run here are listed "
        "with the reason.\n"
        "--out also gets reproduction.txt, with the result of each row.\n"
        "Exit codes: 0 reproduced; 1 not reproduced; 2 no result set, or nothing of it can be run "
        "or compared here; 130 interrupted.");
  }

  void add_prove_clock() {
    CLI::App& prove_clock = add(
        "prove-clock",
        "On a GPU: test the clock that times kernels, by kernels of known duration, CUPTI and ncu",
        [this] { return prove_clock_command(); });
    device_option(prove_clock, run_options_.device);
    word_option(prove_clock, "--out", run_options_.out, "DIR",
                "Folder for clock.json and clock.md [reports/latest]");
    prove_clock.footer("Exit codes: 0 right; 1 a check does not hold; 2 there is no GPU.");
  }

  void add_list() {
    CLI::App& list =
        add("list", "List operations and rungs: the origin of each, and whether it runs here",
            [this] { return print(names_.empty() ? listing() : names(names_)); });
    CLI::Option* const json =
        flag(list, "--json", as_json_, "Print a JSON array, one object for each implementation");
    name_option(list, "--names", names_, "list", listed_names,
                "Print names only, one a line; does not look at the machine")
        ->excludes(json);
    add_kernels(list);
  }

  void add_publish() {
    CLI::App& publish = add("publish",
                            "Put the result sets of a GPU into reports/published/, with their "
                            "report, or list what prevents it",
                            [this] { return publish_command(files_); });
    file_option(
        publish, "files", files_,
        "The results.json of a full study, and of a run with the GPU's counters, or their folders");
    publish.footer(
        "Exit codes: 0 published; 1 refused, and nothing was written; 2 no result file, or the GPU "
        "already has a folder there.");
  }

  void add_site() {
    CLI::App& site =
        add("site", "Write all published result sets as a static site: a list, a page for each set",
            [this] { return site_command(out_); });
    word_option(site, "--out", out_, "DIR", "Folder for index.html and the pages");
  }

  void add_new() {
    CLI::App& command = add("new", "Write a file to start a rung from: a copy of another rung",
                            [this] { return new_command(name_, like_, kernels_); });
    command.add_option("name", name_, "Folder and name of the new rung, such as reduce/my_kernel")
        ->type_name("FOLDER/NAME")
        ->required();
    word_option(command, "--in", kernels_, "DIR",
                "Folder of your kernels, for --kernels [this checkout]");
    word_option(command, "--like", like_, "RUNG",
                "The rung of that folder to copy [the first of its ladder]");
  }

  void add_completion() {
    CLI::App& completion =
        add("completion",
            "Print the completion script for a shell; docs/commands.md says how to install it",
            [this] { return print(completion_script(shell_)); });
    name_option(completion, "shell", shell_, "shell", shells, "The shell")->required();
  }

  std::string listing() const {
    const Catalogue catalogue = read_catalogue(workers());
    return as_json_ ? listing_json(catalogue) : listing_text(catalogue);
  }

  std::string names(std::string_view list) const {
    return listing_names(read_catalogue(workers(), Tells::list), list);
  }

  // A program of its own, built for this command alone, takes over.
  int prove_clock_command() const {
    const fs::path program = this_program().parent_path() / "prove_clock";
    if (!fs::exists(program))
      throw UsageError("{} was not built; ./ladder prove-clock builds it", program.string());
    execl(program.c_str(), program.c_str(), run_options_.device.c_str(), run_options_.out.c_str(),
          typed(words_).c_str(), nullptr);
    throw std::system_error(errno, std::generic_category(), program.string());
  }

  static constexpr const char* one_set = "A results.json or results.json.bz2, or its folder";

  CLI::App app_{
      "Kernel Ladder: hand-written CUDA kernels, rung by rung, beside the library calls that do "
      "the same job.",
      "./ladder"};
  const std::vector<std::string> words_;  // as typed
  int exit_code_ = 0;
  RunOptions run_options_{.out = latest_set()};
  CheckKernelsOptions check_kernels_options_;
  CompareOptions compare_options_;
  PaperOptions paper_options_;
  std::string names_, shell_, name_, like_;
  fs::path file_, out_, kernels_;
  bool with_sources_ = false;
  std::vector<fs::path> files_;
  bool as_json_ = false;
};

}  // namespace

int command_line(int argc, char** argv) {
  return exit_code_of([&] {
    CommandLine command({argv + 1, argv + argc});
    try {
      return command.execute();
    } catch (const CLI::ExtrasError&) {
      throw UsageError(command.unexpected());
    } catch (const CLI::ArgumentMismatch& problem) {
      // such as "--seed: At Most 1 required but received 2"
      const std::string what = problem.what();
      throw UsageError(what.substr(0, what.find(':')) + (what.ends_with("missing")
                                                             ? ": its value is missing"
                                                             : ": it can be given only once"));
    } catch (const CLI::ParseError& problem) {
      // asking for help is no error
      if (problem.get_exit_code() == 0) return command.help(problem);
      if (const auto* missing = dynamic_cast<const CLI::RequiredError*>(&problem))
        throw UsageError(command.required(*missing));
      throw UsageError(problem.what());
    }
  });
}

}  // namespace ladder
