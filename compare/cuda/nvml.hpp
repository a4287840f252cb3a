// The little of NVML that provenance needs, loaded at run time: the library comes with the driver,
// its header not with every toolkit.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::gpu {

struct DriverFacts {
  std::optional<std::string> driver_version;
  std::optional<bool> ecc, mig;
  std::optional<double> power_limit_w;
  reports::GpuState now;
};

// What the driver tells of the GPU at this PCI address ("0000:3b:00.0"); a fact that it does not
// tell stays empty.
DriverFacts ask_driver(const std::string& pci_bus_id);

// Whether NVLink connects the GPUs at these two addresses, where the driver tells.
std::optional<bool> connected_by_nvlink(const std::string& one, const std::string& other);

class Nvml;

// Asks again and again why the driver holds the clocks of one GPU down.
class SlowdownWatch {
 public:
  explicit SlowdownWatch(const std::string& pci_bus_id);
  SlowdownWatch(const SlowdownWatch&) = delete;
  SlowdownWatch& operator=(const SlowdownWatch&) = delete;
  ~SlowdownWatch();

  // of this moment; that nothing runs, or that a user asked for a clock, is none
  std::vector<std::string> reasons() const;

 private:
  std::unique_ptr<const Nvml> nvml_;
  void* device_ = nullptr;
};

}  // namespace ladder::gpu
