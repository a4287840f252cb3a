#include "compare/driver/result_file.hpp"

#include <system_error>

namespace ladder {

std::filesystem::path result_file(const std::filesystem::path& given) {
  std::error_code unknown;  // reading it will tell
  return std::filesystem::is_directory(given, unknown) ? given / "results.json" : given;
}

}  // namespace ladder
