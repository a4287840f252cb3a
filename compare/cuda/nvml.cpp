#include "compare/cuda/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace ladder::gpu {

namespace {

// Numbers of NVML's C interface, stable since its first version.
constexpr int success = 0;
constexpr int insufficient_size = 7;
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;
constexpr int temperature_of_gpu = 0;
constexpr int through_nvlink = 2;
constexpr int is_not_known = 6;

struct Slowdown {
  unsigned long long bit;
  const char* name;
};
constexpr std::array<Slowdown, 6> slowdowns{{{0x4, "power cap"},
                                             {0x8, "hardware slowdown"},
                                             {0x10, "synchronised boost"},
                                             {0x20, "heat, by the driver"},
                                             {0x40, "heat, by the hardware"},
                                             {0x80, "power brake"}}};

}  // namespace

class Nvml {
 public:
  Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW)) {
    if (library_ != nullptr && call("nvmlInit_v2") != success) library_ = nullptr;
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml() { call("nvmlShutdown"); }

  template <class... Arguments>
  int call(const char* function, Arguments... arguments) const {
    if (library_ == nullptr) return -1;
    const auto address = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, function));
    return address == nullptr ? -1 : address(arguments...);
  }

 private:
  void* library_;
};

DriverFacts ask_driver(const std::string& pci_bus_id) {
  DriverFacts facts;
  const Nvml nvml;

  std::array<char, 96> text{};
  if (nvml.call("nvmlSystemGetDriverVersion", text.data(), static_cast<unsigned>(text.size())) ==
      success)
    facts.driver_version = text.data();

  void* device = nullptr;
  if (nvml.call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device) != success)
    return facts;

  int now = 0;
  int pending = 0;
  if (nvml.call("nvmlDeviceGetEccMode", device, &now, &pending) == success) facts.ecc = now != 0;
  unsigned number = 0;
  unsigned pending_number = 0;
  if (nvml.call("nvmlDeviceGetMigMode", device, &number, &pending_number) == success)
    facts.mig = number != 0;
  if (nvml.call("nvmlDeviceGetEnforcedPowerLimit", device, &number) == success)
    facts.power_limit_w = number / 1000.0;
  if (nvml.call("nvmlDeviceGetClockInfo", device, clock_sm, &number) == success)
    facts.now.sm_clock_mhz = number;
  if (nvml.call("nvmlDeviceGetClockInfo", device, clock_memory, &number) == success)
    facts.now.memory_clock_mhz = number;
  if (nvml.call("nvmlDeviceGetTemperature", device, temperature_of_gpu, &number) == success)
    facts.now.temperature_c = number;
  if (nvml.call("nvmlDeviceGetPowerUsage", device, &number) == success)
    facts.now.power_w = number / 1000.0;
  unsigned processes = 0;  // with room for none, it only says how many there are
  const int asked = nvml.call("nvmlDeviceGetComputeRunningProcesses_v3", device, &processes,
                              static_cast<void*>(nullptr));
  if (asked == success || asked == insufficient_size) facts.now.other_processes = processes;
  return facts;
}

std::optional<bool> connected_by_nvlink(const std::string& one, const std::string& other) {
  static const Nvml nvml;
  void *from = nullptr, *to = nullptr;
  int status = is_not_known;
  for (const auto& [address, device] : {std::pair(&one, &from), {&other, &to}})
    if (nvml.call("nvmlDeviceGetHandleByPciBusId_v2", address->c_str(), device) != success)
      return {};
  if (nvml.call("nvmlDeviceGetP2PStatus", from, to, through_nvlink, &status) != success ||
      status == is_not_known)
    return {};
  return status == 0;
}

SlowdownWatch::SlowdownWatch(const std::string& pci_bus_id) : nvml_(std::make_unique<Nvml>()) {
  if (nvml_->call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device_) != success)
    device_ = nullptr;
}

SlowdownWatch::~SlowdownWatch() = default;

std::vector<std::string> SlowdownWatch::reasons() const {
  std::vector<std::string> names;
  unsigned long long bits = 0;
  const auto ask = [&](const char* function) {
    return nvml_->call(function, device_, &bits) == success;
  };
  constexpr const char *now = "nvmlDeviceGetCurrentClocksEventReasons",
                       *formerly = "nvmlDeviceGetCurrentClocksThrottleReasons";
  if (device_ == nullptr || !(ask(now) || ask(formerly))) return names;
  for (const auto& [bit, name] : slowdowns)
    if ((bits & bit) != 0) names.emplace_back(name);
  return names;
}

}  // namespace ladder::gpu
