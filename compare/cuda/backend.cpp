// The memory of the cuda backend.
#include "compare/backend.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "compare/cuda/check.hpp"
#include "compare/cuda/own_device.hpp"

namespace ladder {

void gpu::throw_failure(cudaError_t status, const std::source_location& where) {
  // the rest is this machine's business
  const std::string file = std::filesystem::path(where.file_name()).filename();
  const std::string sentence = fmt::format("{} ({}) at {}:{}", cudaGetErrorString(status),
                                           cudaGetErrorName(status), file, where.line());
  cudaGetLastError();  // a failed launch would otherwise be reported again by the next call
  if (has_answered && cudaDeviceSynchronize() != cudaSuccess) throw backend::DeviceLost(sentence);
  throw Failure(sentence);
}

namespace {

int first_device = 0;  // of this process
bool is_the_only_one = false;

}  // namespace

void gpu::take_device(unsigned rank) {
  if (backend::devices() == 0) throw Failure("there is no GPU");
  first_device = static_cast<int>(rank % backend::devices());
  is_the_only_one = true;
  backend::use(0);
}

gpu::OnDeviceOf::OnDeviceOf(const void* memory) {
  check(cudaGetDevice(&before_));
  cudaPointerAttributes its{};
  check(cudaPointerGetAttributes(&its, memory));
  device_ = its.device;
  check(cudaSetDevice(device_));
}

gpu::OnDeviceOf::~OnDeviceOf() {
  cudaSetDevice(before_);
}

namespace backend {

using gpu::check;

std::string_view name() {
  return "cuda";
}

namespace {

// Memory that was freed stays with the process, up to this: to hand it back to the driver and ask
// again takes longer than most kernels run.
constexpr std::uint64_t kept_bytes = std::uint64_t{256} << 20;

cudaError_t allocate_from_pool(void** pointer, std::size_t bytes) {
  static const bool keep = [] {
    for (unsigned device = 0; device < devices(); ++device) {
      cudaMemPool_t pool{};
      check(cudaDeviceGetDefaultMemPool(&pool, static_cast<int>(device)));
      std::uint64_t kept = kept_bytes;
      check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
    }
    return true;
  }();
  static_cast<void>(keep);
  const cudaError_t status = cudaMallocAsync(pointer, std::max<std::size_t>(bytes, 1), nullptr);
  // every stream may use it now
  return status == cudaSuccess ? cudaStreamSynchronize(nullptr) : status;
}

}  // namespace

void* allocate(std::size_t bytes) {
  void* pointer = nullptr;
  if (const cudaError_t status = allocate_from_pool(&pointer, bytes);
      status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t available = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&available, &total));
    throw OutOfMemory(
        fmt::format("needs {} bytes of device memory, {} of {} are free", bytes, available, total));
  } else {
    check(status);
  }
  return pointer;
}

void* allocate_on_host(std::size_t bytes) {
  void* pointer = nullptr;
  const cudaError_t status = cudaHostAlloc(&pointer, std::max<std::size_t>(bytes, 1),
                                           cudaHostAllocMapped | cudaHostAllocPortable);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw OutOfMemory(fmt::format("needs {} bytes of page-locked memory", bytes));
  }
  check(status);
  return pointer;
}

void release(void* pointer) noexcept {
  int now = 0;
  cudaPointerAttributes its{};
  cudaGetDevice(&now);
  if (cudaPointerGetAttributes(&its, pointer) == cudaSuccess && its.type != cudaMemoryTypeHost)
    cudaSetDevice(its.device);
  cudaDeviceSynchronize();  // no stream uses it any more
  if (its.type == cudaMemoryTypeHost) cudaFreeHost(pointer);
  else cudaFreeAsync(pointer, nullptr);
  cudaSetDevice(now);
}

namespace {

// Page-locked memory and a stream for each thread that uploads, and each device: copies of ordinary
// memory pass through a buffer of the driver's, one after the other.
struct Staging {
  static constexpr std::size_t bytes = 1 << 19;

  void* memory = allocate_on_host(bytes);
  cudaStream_t stream = gpu::new_stream();
};

}  // namespace

void upload(void* to, const void* from, std::size_t bytes) {
  const gpu::OnDeviceOf there(to);
  thread_local auto* const of_device = new std::map<int, Staging>;  // freed with the process
  const Staging& staging = (*of_device)[there.device()];
  for (std::size_t done = 0; done < bytes; done += Staging::bytes) {
    const std::size_t part = std::min(bytes - done, Staging::bytes);
    std::memcpy(staging.memory, static_cast<const std::byte*>(from) + done, part);
    check(cudaMemcpyAsync(static_cast<std::byte*>(to) + done, staging.memory, part,
                          cudaMemcpyHostToDevice, staging.stream));
    check(cudaStreamSynchronize(staging.stream));
  }
}

void download(void* to, const void* from, std::size_t bytes, Stream stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream));
  synchronize(stream);
}

void fill(void* to, unsigned char value, std::size_t bytes) {
  check(cudaMemset(to, value, bytes));
  check(cudaDeviceSynchronize());
}

void copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
}

void synchronize(Stream stream) {
  check(cudaStreamSynchronize(stream));
  // a launch that was refused, and that nobody looked at: else the next one who looks is blamed
  check(cudaGetLastError());
}

unsigned devices() {
  static const unsigned count = [] {
    int found = 0;
    // there is no GPU: what is built can be listed all the same
    if (cudaGetDeviceCount(&found) != cudaSuccess) cudaGetLastError();
    return static_cast<unsigned>(found);
  }();
  return count;
}

namespace {

// Each of all devices can reach the memory of the others from here on, that of their pools too.
// Throws where one cannot.
void reach_each_other() {
  const auto all = static_cast<int>(devices());
  for (int device = 0; device < all; ++device) {
    check(cudaSetDevice(device));
    cudaMemPool_t pool{};
    check(cudaDeviceGetDefaultMemPool(&pool, device));
    for (int peer = 0; peer < all; ++peer) {
      int can_reach = 1;
      if (peer != device) check(cudaDeviceCanAccessPeer(&can_reach, device, peer));
      if (can_reach == 0)
        throw std::runtime_error(
            fmt::format("device {} cannot reach the memory of device {}", device, peer));
      if (peer != device) check(cudaDeviceEnablePeerAccess(peer, 0));
      const cudaMemAccessDesc access{{cudaMemLocationTypeDevice, peer},
                                     cudaMemAccessFlagsProtReadWrite};
      check(cudaMemPoolSetAccess(pool, &access, 1));
    }
  }
  check(cudaSetDevice(0));
}

}  // namespace

void use(unsigned device) {
  check(cudaSetDevice(first_device + static_cast<int>(device)));
}

namespace {

struct Queue {
  Stream stream;
  cudaEvent_t reached{};
};

const std::vector<Queue>& queues() {
  static const std::vector<Queue> made = [] {
    if (!is_the_only_one) reach_each_other();
    std::vector<Queue> all(is_the_only_one ? 1 : devices());
    for (unsigned device = 0; device < all.size(); ++device) {
      use(device);
      all[device].stream = {gpu::new_stream()};
      check(cudaEventCreateWithFlags(&all[device].reached, cudaEventDisableTiming));
    }
    use(0);
    return all;
  }();
  return made;
}

}  // namespace

Stream stream_of(unsigned device) {
  return queues().at(device).stream;
}

void join(unsigned count) {
  for (unsigned device = 0; device < count; ++device)
    check(cudaEventRecord(queues().at(device).reached, queues().at(device).stream));
  for (unsigned device = 0; device < count; ++device)
    for (unsigned other = 0; other < count; ++other)
      if (other != device)
        check(cudaStreamWaitEvent(queues().at(device).stream, queues().at(other).reached));
}

bool is_host_memory() {
  return false;
}

unsigned multiprocessors() {
  static const auto count = static_cast<unsigned>(gpu::attribute(cudaDevAttrMultiProcessorCount));
  return count;
}

}  // namespace backend
}  // namespace ladder
