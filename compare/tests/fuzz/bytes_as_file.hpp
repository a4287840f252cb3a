// The bytes that the fuzzer gives, as a file for a reader that takes nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "compare/driver/disk/temporary_folder.hpp"

namespace ladder::tests {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// In one folder for the life of the process.
inline std::filesystem::path as_file(const char* name, std::string_view text) {
  static const TemporaryFolder folder;
  const auto file = folder / name;
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

}  // namespace ladder::tests
