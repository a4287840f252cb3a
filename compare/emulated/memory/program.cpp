#include "compare/emulated/memory/program.hpp"

#include <link.h>

#include <algorithm>

#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

// From the program's own headers: the first object that dl_iterate_phdr reports.
Program find_program() {
  Program found;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* into) {
        Program& program = *static_cast<Program*>(into);
        const auto include = [](AddressRange& range, std::uintptr_t begin, std::size_t size) {
          range.begin = range.end == 0 ? begin : std::min(range.begin, begin);
          range.end = std::max(range.end, begin + size);
        };
        program.load_address = object->dlpi_addr;
        for (unsigned k = 0; k < object->dlpi_phnum; ++k) {
          const auto& segment = object->dlpi_phdr[k];
          const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_TLS)
            include(program.thread_locals, address_of(object->dlpi_tls_data), segment.p_memsz);
          if (segment.p_type != PT_LOAD) continue;
          include(program.whole, begin, segment.p_memsz);
          if ((segment.p_flags & PF_W) != 0) include(program.variables, begin, segment.p_memsz);
        }
        return 1;
      },
      &found);
  return found;
}

}  // namespace ladder::emulated
