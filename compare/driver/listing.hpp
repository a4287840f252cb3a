// What `ladder list` prints.
#pragma once

#include <string>

#include "compare/driver/catalogue.hpp"

namespace ladder {

std::string listing_text(const Catalogue& catalogue);  // for people
std::string listing_json(const Catalogue& catalogue);  // for programs: an array, one object for each implementation

}  // namespace ladder
