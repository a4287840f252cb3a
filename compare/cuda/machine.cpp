// Provenance: what the runtime and the driver tell of the GPU and of CUDA.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
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

// All that this process sees, up to as many as a team has.
void describe_further(int count, reports::Machine& machine) {
  count = std::min(count, static_cast<int>(most_devices));
  for (int device = 1; device < count; ++device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device));
    machine.further_gpus.push_back(
        {properties.name, uuid_text(properties.uuid), gpu::pci_bus_id(device)});
  }
  for (int from = 0; from < count; ++from) {
    for (int to = 0; to < count; ++to) {
      if (from == to) continue;
      int access = 0;
      int atomics = 0;
      check(cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, from, to));
      check(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, from, to));
      machine.links.push_back({static_cast<unsigned>(from), static_cast<unsigned>(to), access != 0,
                               atomics != 0, gpu::connected_by_nvlink(from, to)});
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

  reports::Gpu its;
  its.name = properties.name;
  its.uuid = uuid_text(properties.uuid);
  its.compute_capability = fmt::format("{}.{}", properties.major, properties.minor);
  its.driver = "unknown";
  its.pci_bus_id = gpu::pci_bus_id(device);
  its.multiprocessors = static_cast<unsigned>(properties.multiProcessorCount);
  its.memory_bytes = properties.totalGlobalMem;
  its.l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  its.memory_clock_mhz = gpu::attribute(cudaDevAttrMemoryClockRate) / 1e3;
  its.memory_bus_bits = static_cast<unsigned>(gpu::attribute(cudaDevAttrGlobalMemoryBusWidth));
  // Two transfers for each clock, on every wire of the bus.
  its.datasheet_gbps = 2 * its.memory_clock_mhz * 1e6 * its.memory_bus_bits / 8 / 1e9;
  gpu::ask_driver(device, its);
  machine.gpu = its;
  describe_further(count, machine);

  int runtime = 0;
  check(cudaRuntimeGetVersion(&runtime));
  software.cuda_runtime = version(runtime);
  gpu::describe_libraries(software);
}

}  // namespace ladder::probe
