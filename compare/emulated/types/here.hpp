// A line of the source, as what stands there tells it: a default argument Here::current() names the
// caller's.
#pragma once

#include <source_location>
#include <string_view>

namespace ladder::emulated {

// One type for all compilers: clang before 16 has no std::source_location with this library, and
// g++ no __builtin_COLUMN. Not consteval: g++ 12 would name the line of the default argument
// itself.
struct Here {
  const char* file = "";
  unsigned line = 0, column = 0;

  bool operator==(const Here& other) const {
    return line == other.line && column == other.column &&
           (file == other.file || std::string_view(file) == other.file);
  }

#ifdef __cpp_lib_source_location
  static constexpr Here current(std::source_location where = std::source_location::current()) {
    return {where.file_name(), where.line(), where.column()};
  }
#else
  static constexpr Here current(const char* file = __builtin_FILE(),
                                unsigned line = __builtin_LINE(),
                                unsigned column = __builtin_COLUMN()) {
    return {file, line, column};
  }
#endif
};

}  // namespace ladder::emulated
