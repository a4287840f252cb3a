// Provenance: what the runtime and the driver tell of the GPU and of CUDA.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "compare/cuda/check.hpp"
#include "compare/cuda/nvml.hpp"
#include "compare/cuda/software.hpp"
#include "compare/team.hpp"
#include "compare/worker/backend.hpp"

namespace ladder::probe {

namespace {

using gpu::check;

std::string version(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (unsigned k = 0; k < sizeof uuid.bytes; ++k) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[k]));
    if (k == 3 || k == 5 || k == 7 || k == 9) text += '-';
  }
  return text;
}

double attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

std::string address_of(int device) {
  std::array<char, 32> pci_bus_id{};
  check(cudaDeviceGetPCIBusId(pci_bus_id.data(), pci_bus_id.size(), device));
  return pci_bus_id.data();
}

// All that this process sees, up to as many as a team has.
void describe_further(int count, reports::Machine& machine) {
  count = std::min(count, static_cast<int>(most_devices));
  for (int device = 1; device < count; ++device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device));
    machine.further_gpus.push_back(
        {properties.name, uuid_text(properties.uuid), address_of(device)});
  }
  for (int from = 0; from < count; ++from) {
    for (int to = 0; to < count; ++to) {
      if (from == to) continue;
      int access = 0;
      int atomics = 0;
      check(cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, from, to));
      check(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, from, to));
      machine.links.push_back({static_cast<unsigned>(from), static_cast<unsigned>(to), access != 0,
                               atomics != 0,
                               gpu::connected_by_nvlink(address_of(from), address_of(to))});
    }
  }
}

}  // namespace

void describe(reports::Machine& machine, reports::Software& software) {
  int count = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&count);
      status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver)
    throw gpu::Failure(
        fmt::format("there is no NVIDIA GPU, or its driver is too old or missing ({})",
                    cudaGetErrorName(status)));
  int device = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device));
  check(cudaGetDeviceProperties(&properties, device));
  const std::string pci_bus_id = address_of(device);
  const gpu::DriverFacts facts = gpu::ask_driver(pci_bus_id);

  reports::Gpu gpu;
  gpu.name = properties.name;
  gpu.uuid = uuid_text(properties.uuid);
  gpu.compute_capability = fmt::format("{}.{}", properties.major, properties.minor);
  gpu.driver = facts.driver_version.value_or("unknown");
  gpu.pci_bus_id = pci_bus_id;
  gpu.multiprocessors = static_cast<unsigned>(properties.multiProcessorCount);
  gpu.memory_bytes = properties.totalGlobalMem;
  gpu.l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  gpu.memory_clock_mhz = attribute(cudaDevAttrMemoryClockRate, device) / 1e3;
  gpu.memory_bus_bits = static_cast<unsigned>(attribute(cudaDevAttrGlobalMemoryBusWidth, device));
  // Two transfers for each clock, on every wire of the bus.
  gpu.datasheet_gbps = 2 * gpu.memory_clock_mhz * 1e6 * gpu.memory_bus_bits / 8 / 1e9;
  gpu.ecc = facts.ecc;
  gpu.mig = facts.mig;
  gpu.power_limit_w = facts.power_limit_w;
  gpu.before = facts.now;
  machine.gpu = gpu;
  describe_further(count, machine);

  int runtime = 0;
  check(cudaRuntimeGetVersion(&runtime));
  software.cuda_runtime = version(runtime);
  gpu::describe_libraries(software);
}

}  // namespace ladder::probe
