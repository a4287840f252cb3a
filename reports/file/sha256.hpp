// SHA-256, as result sets name what they hold.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace ladder::reports {

std::array<unsigned char, 32> sha256_digest(std::string_view bytes);
std::string sha256(std::string_view bytes);  // "sha256:<hex>"

}  // namespace ladder::reports
