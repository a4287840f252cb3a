// The program's own symbols: what its static shared arrays and its variables are called, how large
// they are and whose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace ladder::emulated {

class Symbols {
 public:
  struct Array {
    // offset: into the thread-local memory of the program; of a variable, its address
    std::size_t offset, size;
    // the function it is declared in, mangled and without what begins every such name; empty: in
    // none
    std::string owner;
    std::string name;  // "tile"
    bool of_kernel;    // the owner is a kernel, by its name
  };

  Symbols();  // reads the program's file; knows nothing where that has no symbols

  bool known() const { return !arrays_.empty(); }
  // The shared array at an offset, and the __device__ or host variable at an address; null: there
  // is none. And the last one that begins there or before.
  const Array* array_at(std::size_t offset) const { return at(arrays_, offset); }
  const Array* variable_at(std::uintptr_t address) const { return at(variables_, address); }
  const Array* array_before(std::size_t offset) const { return before(arrays_, offset); }
  const Array* variable_before(std::uintptr_t address) const { return before(variables_, address); }
  // all arrays that are declared in the function
  std::size_t shared_bytes(const std::string& owner) const;
  // as an owner is named; empty: not known
  std::string function_at(std::uintptr_t address) const;

 private:
  using Arrays = std::map<std::size_t, Array>;
  static const Array* before(const Arrays& arrays, std::size_t offset);
  static const Array* at(const Arrays& arrays, std::size_t offset);

  Arrays arrays_, variables_;
  std::map<std::uintptr_t, std::string> functions_;
};

}  // namespace ladder::emulated
