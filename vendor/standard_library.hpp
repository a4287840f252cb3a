// Name and version of the C++ standard library that the calls of it are compiled with.
#pragma once

#include <version>

#include "compare/register.hpp"

namespace ladder {

#ifdef _GLIBCXX_RELEASE
constexpr Library standard_library{"libstdc++", _GLIBCXX_RELEASE};
#else
constexpr Library standard_library{"the C++ standard library"};
#endif

}  // namespace ladder
