// The little of NVML that provenance needs, loaded at run time: the library comes with the driver, its header not with every toolkit.
#pragma once

#include <optional>
#include <string>

namespace ladder::cuda {

struct DriverFacts {
  std::optional<std::string> driver_version;
  std::optional<bool> ecc, mig;
  std::optional<double> power_limit_w;
  std::optional<unsigned> sm_clock_mhz, memory_clock_mhz, temperature_c;
};

// What the driver tells of the GPU at this PCI address ("0000:3b:00.0"); a fact that it does not tell stays empty.
DriverFacts ask_driver(const std::string& pci_bus_id);

}  // namespace ladder::cuda
