#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string_view>
#include <system_error>
#include <vector>

#include "compare/driver/commands/commands.hpp"
#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/terminal/did_you_mean.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/lists.hpp"
#include "compare/driver/terminal/places.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "compare/registry.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"

namespace ladder {
namespace {

// The rungs in a folder: by name their files.
std::map<std::string, fs::path> rungs_in(const fs::path& folder) {
  std::map<std::string, fs::path> all;
  std::error_code none;
  for (const auto& file : fs::directory_iterator(folder, none))
    if (file.path().extension() == ".cu")
      all.emplace(path_of_file(file.path().filename().string()), file.path());
  return all;
}

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> all;
  std::error_code none;
  for (const auto& one : fs::directory_iterator(folder, none))
    if (one.is_directory()) all.push_back(one.path().filename().string());
  std::ranges::sort(all);
  return all;
}

// The fields of a card that say what the code can do; all others say it to a reader.
std::string fields_of_the_code(const std::string& card) {
  static const std::regex field(
      "    \\.(needs|max_elements|max_reason|compensated|flushes_subnormals|returns_elements|"
      "accumulates_elements|same_bits_every_run|expected_wrong) [\\s\\S]*?,\n(?=    \\.|$)");
  std::string text;
  for (std::sregex_iterator at(card.begin(), card.end(), field), end; at != end; ++at)
    text += at->str();
  return text;
}

// "warp_shuffle" -> "WarpShuffle"
std::string as_class(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (name[i] != '_')
      text += i == 0 || name[i - 1] == '_'
                  ? static_cast<char>(std::toupper(static_cast<unsigned char>(name[i])))
                  : name[i];
  return text;
}

std::string copy_of(const std::string& rung, std::string text, const std::string& name) {
  const std::string opens = "constexpr Card card{\n";
  const auto begin = text.find(opens) + opens.size(), size = text.find("};\n", begin) - begin;
  text.replace(begin, size,
               fmt::format("    .idea = \"A copy of {0}, to start from.\",\n"
                           "    .follows = \"{0}\",\n"
                           "    .step = \"Nothing yet.\",\n"
                           "    .costs = \"As {0}.\",\n"
                           "    .limited_by = \"As {0}.\",\n"
                           "    .source = \"Our own.\",\n{1}",
                           rung, fields_of_the_code(text.substr(begin, size))));
  text = std::regex_replace(text, std::regex("\\b" + rung + "_kernel\\b"), name + "_kernel");
  return std::regex_replace(text, std::regex("\\b(Inclusive|Exclusive)?" + as_class(rung) + "\\b"),
                            "$1" + as_class(name));
}

// ./ladder says the same of --kernels.
void require_folder_of_kernels(const fs::path& folder) {
  const std::string path = fs::weakly_canonical(folder).string(),
                    ours = fs::weakly_canonical(checkout()).string();
  if (path.find_first_of("[];*?\"'`$\\<>") != path.npos)
    throw UsageError(
        "--in: CMake cannot build in a folder with one of ; [ ] * ? < > \" ' ` $ \\ in "
        "its path: {}",
        path);
  if (!ours.empty() && path.starts_with(ours + '/'))
    throw UsageError(
        "--in: {} is in this project, whose own kernels are built without it; take a "
        "folder outside of it",
        path);
}

// The one that follows no other.
std::string first_of(const std::map<std::string, fs::path>& rungs) {
  for (const auto& [name, file] : rungs)
    if (read_text(file).find("    .follows = ") == std::string::npos) return name;
  throw UsageError("this folder has no first rung; choose one with --like");
}

}  // namespace

int new_command(const std::string& full_name, std::string like, const fs::path& kernels) {
  if (!std::regex_match(full_name, std::regex("[a-z0-9_]+/[a-z][a-z0-9_]*")))
    throw UsageError(
        "\"{}\" is not a name of a rung; write one like reduce/my_kernel, a lower-case "
        "letter and then lower-case letters, digits and _",
        full_name);
  const auto slash = full_name.find('/');
  const std::string operation = full_name.substr(0, slash), name = full_name.substr(slash + 1);
  const fs::path ours = checkout() / "handwritten";
  const auto operations = folders_in(ours);
  if (!has(operations, operation))
    throw UsageError("there is no folder handwritten/{}; {}", operation,
                     instead_of(operation, operations));

  const auto rungs = rungs_in(ours / operation);
  if (like.empty()) like = first_of(rungs);
  if (!rungs.contains(like))
    throw UsageError(
        "--like: there is no rung \"{}\"; {}", like,
        instead_of(like, reports::each(rungs, [](const auto& rung) { return rung.first; })));
  const fs::path root = kernels.empty() ? checkout() : kernels;
  const fs::path folder = root / "handwritten" / operation;
  for (const auto& there : {rungs, rungs_in(folder)})
    if (there.contains(name))
      throw UsageError("there is a rung {} already: {}", name, there.at(name).string());

  const fs::path& source = rungs.at(like);
  const std::string text = read_text(source);
  if (std::regex_search(text, std::regex("\\b" + as_class(name) + "\\b")))
    throw UsageError(
        "{} would be the class {}, which {} uses for something else; choose another name", name,
        as_class(name), like);
  std::error_code failed;
  const bool is_ours = root == checkout() || fs::equivalent(root, checkout(), failed);
  if (!is_ours) require_folder_of_kernels(root);
  const std::string ending = source.filename().string().substr(like.size());  // ".sm90.cu" too
  const fs::path file = folder / (name + ending);
  fs::create_directories(folder, failed);
  try {
    Draft(file, copy_of(like, text, name)).keep();
  } catch (const std::system_error& problem) {
    throw UsageError("{}; make room, or choose another folder with --in", problem.what());
  }
  const std::string with = is_ours ? "" : " --kernels " + quoted(root.string());
  fmt::print(
      "{0}: a copy of {1}. Change it, and then:\n  ./ladder check-kernels{2}{3}\n  ./ladder "
      "test{2}{4}\n  ./ladder run{2}\n",
      reports::printable(file.string()), like, with, is_ours ? " --rung " + name : "",
      is_ours ? " -R " + name : "");
  return 0;
}

}  // namespace ladder
