// Checksums of arrays that are as large as the device.
#include <cuda_runtime.h>

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare/backend.hpp"
#include "compare/checksum.hpp"
#include "compare/cuda/check.hpp"
#include "compare/cuda/own_device.hpp"
#include "compare/launch.hpp"

namespace ladder {

namespace {

constexpr unsigned threads = 256;
// the answer of an operation, its guards and up to five inputs
constexpr std::size_t most_arrays = 8;

// An array of elements of two bytes may begin between two words.
__device__ std::uint32_t word_at(const unsigned char* bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes) % sizeof(std::uint32_t) == 0)
    return *reinterpret_cast<const std::uint32_t*>(bytes);
  return last_word(bytes, sizeof(std::uint32_t));
}

__global__ void checksum_kernel(const unsigned char* bytes, std::size_t count, std::size_t rest,
                                unsigned long long* sum) {
  const std::size_t stride = std::size_t{gridDim.x} * threads;
  unsigned long long mine = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < count; i += stride)
    mine += checksum_of_word(word_at(bytes + i * sizeof(std::uint32_t)), i);
  if (rest != 0 && blockIdx.x == 0 && threadIdx.x == 0)
    mine += checksum_of_word(last_word(bytes + count * sizeof(std::uint32_t), rest), count);
  for (unsigned offset = 16; offset > 0; offset /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

}  // namespace

std::vector<std::uint64_t> backend::checksums(std::span<const Bytes> arrays) {
  if (arrays.empty() || arrays.size() > most_arrays)
    throw std::invalid_argument("a device is asked for 1 to " + std::to_string(most_arrays) +
                                " checksums at a time");
  const gpu::OnDeviceOf there(arrays.front().data());
  // Each device has its own sums, freed with the process. With the sum on the first device, on two
  // H200 the first checksum on the other one was wrong.
  static std::map<int, void*> of_devices;
  void*& memory = of_devices[there.device()];
  if (memory == nullptr) memory = allocate(most_arrays * sizeof(unsigned long long));
  auto* const sums = static_cast<unsigned long long*>(memory);
  gpu::check(cudaMemsetAsync(sums, 0, arrays.size() * sizeof *sums));
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const std::size_t words = arrays[k].size() / sizeof(std::uint32_t);
    const unsigned blocks = blocks_for(words, threads, 8);
    launch(checksum_kernel, {blocks, threads}, {},
           reinterpret_cast<const unsigned char*>(arrays[k].data()), words,
           arrays[k].size() % sizeof(std::uint32_t), sums + k);
  }
  std::vector<std::uint64_t> results(arrays.size());
  download(results.data(), sums, arrays.size() * sizeof *sums);
  return results;
}

}  // namespace ladder
