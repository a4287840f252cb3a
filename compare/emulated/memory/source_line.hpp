// Names for addresses in code, from the debug information of this program.
#pragma once

#include <string>

#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

// "handwritten/reduce/serial.cu:20"; of an instruction, that of the call that returns there
std::string source_line(const Place& place);
std::string function_name(const void* code);  // "serial_kernel<int, ladder::Sum>"

}  // namespace ladder::emulated
