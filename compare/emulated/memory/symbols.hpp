// The program's own symbols: what its static shared arrays and its variables are called, how large
// they are and whose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace ladder::emulated {

struct Symbol {
  // of a shared array the offset into the thread-local memory of the program, of a variable the
  // address
  std::size_t begin, size;
  // the function it is declared in, mangled and without what begins every such name; empty: in
  // none
  std::string owner;
  std::string name;  // mangled
  bool of_kernel;    // the owner is a kernel, by its name
};

class Symbols {
 public:
  using ByPlace = std::map<std::size_t, Symbol>;

  Symbols();  // reads the program's file; knows nothing where that has no symbols

  bool known() const { return !shared_arrays.empty(); }
  // as an owner is named; empty: not known
  std::string function_at(std::uintptr_t address) const;
  // of its static shared arrays together; 0: it has none, or is not known
  std::size_t shared_bytes_of(const std::string& function) const;

  // The last one that begins there or before, and the one that is there; null: there is none.
  static const Symbol* before(const ByPlace& symbols, std::size_t place);
  static const Symbol* at(const ByPlace& symbols, std::size_t place);

  ByPlace shared_arrays, variables;  // __device__ and host variables

 private:
  std::unordered_map<std::uintptr_t, std::string> functions_;
  std::unordered_map<std::string, std::size_t> shared_bytes_;  // of a function
};

}  // namespace ladder::emulated
