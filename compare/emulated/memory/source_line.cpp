#include "compare/emulated/memory/source_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

#include "compare/emulated/memory/names.hpp"
#include "compare/emulated/memory/program.hpp"

namespace ladder::emulated {

namespace {

// LADDER_SOURCE_DIR: the root of the sources, which readers do not want to see.
std::string within_project(std::string_view path) {
  constexpr std::string_view root = LADDER_SOURCE_DIR "/";
  // "build/../handwritten" is how the compiler found it
  const std::string plain = std::filesystem::path(path).lexically_normal();
  return plain.starts_with(root) ? plain.substr(root.size()) : plain;
}

// A line of the standard library, of CUDA's words or of the conversions of an element, which stands
// in place of the one that calls it. A g++ may lie anywhere, with its library.
bool is_of_library(std::string_view line) {
  const std::string ours = within_project(line);
  return line.starts_with("/usr/") || line.find("/include/c++/") != line.npos ||
         ours.starts_with("compare/emulated/") || ours.starts_with("compare/small_floats.hpp");
}

// Function and "file:line" of an address, by addr2line, which comes with every g++; empty where it
// is not there. Of functions inlined into each other it names the innermost first.
using Names = std::pair<std::string, std::string>;
Names ask_addr2line(std::uintptr_t address) {
  const std::string command = fmt::format("addr2line -i -f -C -e /proc/$PPID/exe {:#x} 2>/dev/null",
                                          address - find_program().load_address);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  for (int c = 0; pipe && (c = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(c);
  Names names;
  std::istringstream lines(text);
  for (std::string function, line; std::getline(lines, function) && std::getline(lines, line);) {
    line.erase(std::min(line.find(" (discriminator "), line.size()));
    if (function == "??") break;
    names.first = function;
    if (names.second.empty() || is_of_library(names.second)) names.second = line;
  }
  return names;
}

// A question takes a tenth of a second and more, and a check asks for the same lines again and
// again.
const Names& look_up(std::uintptr_t address) {
  static std::map<std::uintptr_t, Names> known;
  const auto [names, is_new] = known.try_emplace(address);
  if (is_new) names->second = ask_addr2line(address);
  return names->second;
}

}  // namespace

std::string source_line(const Place& place) {
  if (const auto where = place.where())
    return fmt::format("{}:{}", within_project(where->file), where->line);
  const std::uintptr_t address = place.instruction();
  const std::string line = look_up(address - 1).second;  // the call lies before its return address
  return line.empty() ? fmt::format("code at {:#x}", address) : within_project(line);
}

// As its author writes it: "void ladder::(anonymous namespace)::f<int, ladder::Sum>(int*)" ->
// "f<int, Sum>".
std::string function_name(const void* code) {
  const auto address = address_of(code);
  const std::string name = look_up(address).first;
  return name.empty() ? fmt::format("the kernel at {:#x}", address)
                      : std::string(own_name(without_our_scopes(name)));
}

}  // namespace ladder::emulated
