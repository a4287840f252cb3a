// Test cases made at run time; Catch2 itself makes them only from macros.
#pragma once

#include <functional>
#include <string>

namespace ladder::tests {

void register_test(const std::string& name, const std::string& tags, std::function<void()> test);

}  // namespace ladder::tests
