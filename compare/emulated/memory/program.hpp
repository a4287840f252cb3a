// Where the program itself lies in memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ladder::emulated {

struct AddressRange {
  std::uintptr_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
  bool contains(std::uintptr_t address) const { return address - begin < size(); }
};

struct Program {
  std::uintptr_t load_address = 0;  // what is added to the addresses in the program's file
  AddressRange whole, variables;
  AddressRange thread_locals;  // of the OS thread that asks
};

Program find_program();

}  // namespace ladder::emulated
