// SHA-256, as result sets name what they hold.
#pragma once

#include <string>
#include <string_view>

namespace ladder::reports {

std::string sha256(std::string_view bytes);  // "sha256:<hex>"

}  // namespace ladder::reports
