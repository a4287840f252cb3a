// What results carry about the machine and the software of this backend.
#include <fmt/format.h>
#include <tbb/version.h>
#include <thrust/version.h>

#include "compare/host/system.hpp"
#include "compare/worker/backend.hpp"

namespace ladder::probe {

void describe(reports::Machine& machine, reports::Software& software) {
  machine.cpu = host::cpu_model();
  machine.cores = host::cores();
  machine.memory_bytes = host::total_memory();
  machine.last_level_cache_bytes = host::last_level_cache_bytes();

  software.os = host::os_name();
  software.kernel = host::kernel_name();
  software.host_compiler = LADDER_COMPILER;  // these two are set by the build
  software.host_flags = LADDER_FLAGS;
  software.thrust = fmt::format("{}.{}.{}", THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION, THRUST_SUBMINOR_VERSION);
  software.tbb = TBB_runtime_version();
}

}  // namespace ladder::probe
