// What to say of a name that is none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ladder {

// The name that is as good as the word, but for a slip of the hand; null: there is none.
const std::string* meant_by(std::string_view word, const std::vector<std::string>& names);

// "did you mean sum?" where one of the names is as good as the word, but for a slip of the hand, or
// the word is a part of a few; else "choose from min, sum". Of many names the nearest, and what
// shows all.
std::string instead_of(std::string_view word, const std::vector<std::string>& names,
                       std::string_view shows_all = "./ladder list");

}  // namespace ladder
