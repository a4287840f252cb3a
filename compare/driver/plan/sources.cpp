#include "compare/driver/plan/sources.hpp"

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "compare/driver/plan/source_texts.hpp"
#include "reports/text/lists.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_source_bytes = 256 << 10;  // bytes, as in the schema

bool is_source(const fs::path& file) {
  const fs::path ending = file.extension();
  return ending == ".cu" || ending == ".cpp" || ending == ".hpp" || ending == ".cuh";
}

bool is_text(std::string_view text) {
  return text.size() <= most_source_bytes && text.find('\0') == std::string_view::npos;
}

}  // namespace

SourceTexts project_sources() {
  SourceTexts all;
  for (const auto& [path, text] : source_texts()) all.emplace(path, text);
  return all;
}

SourceTexts sources_in(const fs::path& kernels) {
  SourceTexts all;
  for (const char* folder : {"handwritten", "vendor"}) {
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(kernels / folder, none)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      if (is_text(text)) all.emplace(entry.path().lexically_relative(kernels).string(), text);
    }
  }
  return all;
}

std::string file_of(const std::string& path, const SourceTexts& sources) {
  static const std::regex release("_[0-9]+_[0-9]+$");
  for (const std::string& stem : {path, std::regex_replace(path, release, "")})
    for (auto file = sources.lower_bound(stem + '.');
         file != sources.end() && file->first.starts_with(stem + '.'); ++file)
      if (!file->first.ends_with(".hpp") && !file->first.ends_with(".cuh")) return file->first;
  return {};
}

std::vector<reports::SourceFile> sources_of(const std::vector<reports::Rung>& rungs,
                                            const SourceTexts& sources) {
  static const std::regex include(R"re(#include "([^"]+)")re");
  std::set<std::string> wanted;
  std::vector<std::string> open = reports::each(rungs, &reports::Rung::file);
  while (!open.empty()) {
    const auto file = sources.find(open.back());
    open.pop_back();
    if (file == sources.end() || !wanted.insert(file->first).second) continue;
    const std::string& text = file->second;
    for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end; ++found)
      open.push_back((*found)[1]);
  }
  return reports::each(wanted, [&sources](const std::string& path) {
    return reports::SourceFile{path, sources.at(path)};
  });
}

}  // namespace ladder
