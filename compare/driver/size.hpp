// Numbers of elements as people write and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ladder {

std::uint64_t parse_size(std::string_view text);  // "1000", "2^16" or "1e6". Throws UsageError.
std::string size_text(std::uint64_t n);           // "1000", "2^16"; a power of two is written as one from 2^10 on

}  // namespace ladder
