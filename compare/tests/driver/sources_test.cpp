// The sources of rungs: those of this project as they were built, and those of a folder.
#include "compare/driver/plan/sources.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

const SourceTexts few{
    {"handwritten/dot/kahan.hpp", "#pragma once\n#include \"handwritten/fold.hpp\"\n"},
    {"handwritten/dot/dot2_kahan.cu", "#include \"handwritten/dot/kahan.hpp\"\n"},
    {"handwritten/fold.hpp", "#include \"handwritten/dot/kahan.hpp\"\n#include <vector>\n"},
    {"handwritten/scan/waves.hpp", ""},
    {"handwritten/scan/waves_bulk.sm90.cccl24.cu", ""},
    {"vendor/dot/cub.cu", "#include \"compare/launch.hpp\"\n"}};

}  // namespace

TEST_CASE("a rung has the file of its path, whatever its endings, and a newer call has the usual") {
  CHECK(file_of("handwritten/dot/dot2_kahan", few) == "handwritten/dot/dot2_kahan.cu");
  CHECK(file_of("handwritten/scan/waves_bulk", few) ==
        "handwritten/scan/waves_bulk.sm90.cccl24.cu");
  CHECK(file_of("vendor/dot/cub_3_5", few) == "vendor/dot/cub.cu");
  for (const char* none : {"handwritten/scan/waves", "handwritten/dot/kahan", "vendor/dot/cu"})
    CHECK(file_of(none, few).empty());
}

TEST_CASE("the sources of rungs are their files and what these include, each once") {
  reports::Rung rung, other;
  rung.file = "handwritten/dot/dot2_kahan.cu";
  std::vector<std::string> paths;
  for (const auto& file : sources_of({rung, rung, other}, few)) paths.push_back(file.path);
  CHECK(paths == std::vector<std::string>{"handwritten/dot/dot2_kahan.cu",
                                          "handwritten/dot/kahan.hpp", "handwritten/fold.hpp"});
}

TEST_CASE("the sources of this project are those that it was built from") {
  const SourceTexts all = project_sources();
  CHECK(all.size() > 150);
  const fs::path root = fs::path(__FILE__).parent_path() / "../../..";
  for (const auto& [path, text] : all) {
    std::ifstream file(root / path, std::ios::binary);
    INFO(path);
    CHECK(text == std::string{std::istreambuf_iterator<char>(file), {}});
    CHECK(text.size() <= 256 << 10);  // as in the schema
  }
}

TEST_CASE("the sources in a folder of kernels are its texts") {
  const Workshop workshop;
  const fs::path folder = workshop.path("kernels");
  fs::create_directories(folder / "handwritten/dot");
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / "handwritten/dot" / name, std::ios::binary) << text;
  };
  write("mine.cu", "mine");
  write("part.cuh", "part");
  write("notes.txt", "no source");
  write("binary.cu", std::string("a\0b", 3));
  write("long.cu", std::string((256 << 10) + 1, 'x'));
  CHECK(sources_in(folder) ==
        SourceTexts{{"handwritten/dot/mine.cu", "mine"}, {"handwritten/dot/part.cuh", "part"}});
  CHECK(sources_in(folder / "none").empty());
}
