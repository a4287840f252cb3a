#include "compare/driver/plan/cell_key.hpp"

namespace ladder {

reports::CellKey key_of(const ProblemSpec& p, const reports::How& how) {
  return {.input = {.operation = p.operation,
                    .op = p.op.empty() ? std::nullopt : std::optional(p.op),
                    .dtype = p.dtype,
                    .n = p.n,
                    .distribution = p.distribution,
                    .bins = p.bins == 0 ? std::nullopt : std::optional(p.bins),
                    .offset = p.offset,
                    .devices = p.devices,
                    .process_for_each_device = p.process_for_each_device},
          .who = {},
          .how = how};
}

}  // namespace ladder
