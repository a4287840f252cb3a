#include "compare/cuda/nvml.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <array>

#include "compare/cuda/check.hpp"

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
constexpr std::array<Slowdown, 6> all_slowdowns{{{0x4, "power cap"},
                                                 {0x8, "hardware slowdown"},
                                                 {0x10, "synchronised boost"},
                                                 {0x20, "heat, by the driver"},
                                                 {0x40, "heat, by the hardware"},
                                                 {0x80, "power brake"}}};

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

const Nvml& nvml() {
  static const Nvml loaded;
  return loaded;
}

// NVML's handle of a GPU; null where it has none.
void* handle_of(int device) {
  void* handle = nullptr;
  const std::string address = pci_bus_id(device);
  return nvml().call("nvmlDeviceGetHandleByPciBusId_v2", address.c_str(), &handle) == success
             ? handle
             : nullptr;
}

}  // namespace

std::string pci_bus_id(int device) {
  std::array<char, 32> id{};
  check(cudaDeviceGetPCIBusId(id.data(), id.size(), device));
  return id.data();
}

void ask_driver(int device, reports::Gpu& gpu) {
  std::array<char, 96> text{};
  if (nvml().call("nvmlSystemGetDriverVersion", text.data(), static_cast<unsigned>(text.size())) ==
      success)
    gpu.driver = text.data();

  void* const handle = handle_of(device);
  if (handle == nullptr) return;
  const auto tells = [&](const char* function, auto... arguments) {
    return nvml().call(function, handle, arguments...) == success;
  };
  int now = 0;
  int pending = 0;
  if (tells("nvmlDeviceGetEccMode", &now, &pending)) gpu.ecc = now != 0;
  unsigned number = 0;
  unsigned pending_number = 0;
  if (tells("nvmlDeviceGetMigMode", &number, &pending_number)) gpu.mig = number != 0;
  if (tells("nvmlDeviceGetEnforcedPowerLimit", &number)) gpu.power_limit_w = number / 1000.0;
  if (tells("nvmlDeviceGetClockInfo", clock_sm, &number)) gpu.before.sm_clock_mhz = number;
  if (tells("nvmlDeviceGetClockInfo", clock_memory, &number)) gpu.before.memory_clock_mhz = number;
  if (tells("nvmlDeviceGetTemperature", temperature_of_gpu, &number))
    gpu.before.temperature_c = number;
  if (tells("nvmlDeviceGetPowerUsage", &number)) gpu.before.power_w = number / 1000.0;
  unsigned processes = 0;  // with room for none, it only says how many there are
  const int asked = nvml().call("nvmlDeviceGetComputeRunningProcesses_v3", handle, &processes,
                                static_cast<void*>(nullptr));
  if (asked == success || asked == insufficient_size) gpu.before.other_processes = processes;
}

std::optional<bool> connected_by_nvlink(int one, int other) {
  void *const from = handle_of(one), *const to = handle_of(other);
  int status = is_not_known;
  if (from == nullptr || to == nullptr ||
      nvml().call("nvmlDeviceGetP2PStatus", from, to, through_nvlink, &status) != success ||
      status == is_not_known)
    return {};
  return status == 0;
}

std::vector<std::string> slowdowns() {
  static void* const device = [] {
    int in_use = 0;
    check(cudaGetDevice(&in_use));
    return handle_of(in_use);
  }();
  unsigned long long bits = 0;
  const auto tells = [&](const char* function) {
    return nvml().call(function, device, &bits) == success;
  };
  std::vector<std::string> names;
  if (device == nullptr || !(tells("nvmlDeviceGetCurrentClocksEventReasons") ||
                             tells("nvmlDeviceGetCurrentClocksThrottleReasons")))  // formerly
    return names;
  for (const auto& [bit, name] : all_slowdowns)
    if ((bits & bit) != 0) names.emplace_back(name);
  return names;
}

}  // namespace ladder::gpu
