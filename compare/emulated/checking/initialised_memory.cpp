#include "compare/emulated/checking/initialised_memory.hpp"

namespace ladder::emulated {

void Initialised::mark(Space space, std::uintptr_t address, std::size_t size, bool written) {
  Bytes& bytes = bytes_of(space);
  for (std::size_t k = 0; k < size; ++k) bytes[address + k] = written == space.is_shared();
}

bool Initialised::all_written(Space space, std::uintptr_t address, std::size_t size) {
  Bytes& bytes = bytes_of(space);
  for (std::size_t k = 0; k < size; ++k)
    if (bytes[address + k] != space.is_shared()) return false;
  return true;
}

bool Initialised::any_written(Space space, std::uintptr_t address, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k)
    if (all_written(space, address + k, 1)) return true;
  return false;
}

}  // namespace ladder::emulated
