// Names for addresses in code, from the debug information of this program.
#pragma once

#include <string>

#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

std::string source_line(const Here& where);        // "handwritten/reduce/serial.cu:20"
std::string source_line(const void* instruction);  // of the call that returns there
std::string source_line(const Place& place);
std::string function_name(const void* code);  // "serial_kernel<int, ladder::Sum>"

}  // namespace ladder::emulated
