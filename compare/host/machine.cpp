// What results carry about this backend. The driver knows the rest of the machine.
#include <fmt/format.h>
#include <tbb/version.h>
#if __has_include(<thrust/version.h>)
#include <thrust/version.h>
#endif

#include "compare/system.hpp"
#include "compare/worker/backend.hpp"

namespace ladder::probe {

void describe(reports::Machine& machine, reports::Software& software) {
  machine.last_level_cache_bytes = host::last_level_cache_bytes();
  software.host_compiler = LADDER_COMPILER;  // these two are set by the build
  software.host_flags = LADDER_FLAGS;
#ifdef THRUST_VERSION
  software.thrust =
      fmt::format("{}.{}.{}", THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION, THRUST_SUBMINOR_VERSION);
#endif
  software.tbb = TBB_runtime_version();
}

}  // namespace ladder::probe
