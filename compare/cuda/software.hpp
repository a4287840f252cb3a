// The CUDA libraries and compiler that this worker was built with.
#pragma once

#include "reports/model.hpp"

namespace ladder::gpu {

void describe_libraries(reports::Software& software);

}  // namespace ladder::gpu
