// The CUDA libraries and compiler that this worker was built with.
#pragma once

#include <optional>
#include <string>

#include "reports/model/model.hpp"

namespace ladder::gpu {

void describe_libraries(reports::Software& software);

// "2.28.9, built with 2.28.9, NVLink multicast off": the version that is loaded and that of the
// header. Nothing where this worker has no NCCL.
std::optional<std::string> nccl_in_words();

}  // namespace ladder::gpu
