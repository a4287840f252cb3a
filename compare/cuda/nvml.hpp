// The little of NVML that provenance needs, loaded at run time: the library comes with the driver,
// its header not with every toolkit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::gpu {

std::string pci_bus_id(int device);  // "0000:3b:00.0"

// Fills in what the driver tells of a GPU, and its state as that before the run; what it does not
// tell stays as it is.
void ask_driver(int device, reports::Gpu& gpu);

// Whether NVLink connects these two GPUs, where the driver tells.
std::optional<bool> connected_by_nvlink(int one, int other);

// Why the driver holds the clocks of the GPU in use down at this moment; that nothing runs, or that
// a user asked for a clock, is no reason.
std::vector<std::string> slowdowns();

}  // namespace ladder::gpu
