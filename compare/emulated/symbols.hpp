// The program's own symbols: what its static shared arrays are called, how large they are and whose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace ladder::emulated {

class Symbols {
 public:
  struct SharedArray {
    std::size_t offset, size;  // offset: into the thread-local memory of the program
    std::string owner;         // the function it is declared in, mangled and without what begins every such name; empty: in none
    std::string name;          // "tile"
  };

  Symbols();  // reads the program's file; knows nothing where that has no symbols

  bool known() const { return !arrays_.empty(); }
  const SharedArray* array_at(std::size_t offset) const;  // null: there is none
  std::string function_at(std::uintptr_t address) const;  // as an owner is named; empty: not known

 private:
  std::map<std::size_t, SharedArray> arrays_;
  std::map<std::uintptr_t, std::string> functions_;
};

}  // namespace ladder::emulated
