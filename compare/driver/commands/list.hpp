// What `ladder list` prints.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "compare/driver/plan/catalogue.hpp"

namespace ladder {

std::string listing_text(const Catalogue& catalogue);  // for people
// for programs: an array, one object for each implementation
std::string listing_json(const Catalogue& catalogue);

inline constexpr std::array listed_names{"operation", "operator", "rung", "provider",
                                         "distribution"};
// one a line; of: one of listed_names
std::string listing_names(const Catalogue& catalogue, std::string_view of);

}  // namespace ladder
