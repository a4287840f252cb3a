// Names of functions and variables, as compilers write them.
#pragma once

#include <string>
#include <string_view>

namespace ladder::emulated {

// "void a::f<a::k_kernel(int*)::{lambda()#1}>(int*)" -> "f<a::k_kernel(int*)::{lambda()#1}>":
// without its return type, its scope and its parameters
std::string_view own_name(std::string_view function);

// Without the namespaces that nobody writes: the anonymous ones, this project's, and that of a file
// of rungs.
std::string without_our_scopes(std::string name);

std::string last_name(const std::string& mangled);  // "a::kernel<int>(int*)::tile" -> "tile"

}  // namespace ladder::emulated
