#include "compare/driver/result_file.hpp"

#include <system_error>

namespace ladder {

std::filesystem::path result_file(const std::filesystem::path& given) {
  std::error_code unknown;  // reading it will tell
  if (!std::filesystem::is_directory(given, unknown)) return given;
  const std::filesystem::path plain = given / "results.json", compressed = given / "results.json.gz";
  return !std::filesystem::exists(plain, unknown) && std::filesystem::exists(compressed, unknown) ? compressed : plain;
}

}  // namespace ladder
