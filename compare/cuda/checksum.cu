// Checksums of arrays that are as large as the device.
#include <cuda_runtime.h>

#include <algorithm>
#include <map>

#include "compare/backend.hpp"
#include "compare/checksum.hpp"
#include "compare/cuda/check.hpp"
#include "compare/cuda/own_device.hpp"
#include "compare/launch.hpp"

namespace ladder {

namespace {

constexpr unsigned threads = 256;

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

std::uint64_t backend::checksum(const void* data, std::size_t bytes) {
  const gpu::OnDeviceOf there(data);
  // One for each device, freed with the process. With the sum on the first device, on two H200 the
  // first checksum on the other one was wrong.
  static std::map<int, void*> sums;
  void*& memory = sums[there.device()];
  if (memory == nullptr) memory = allocate(sizeof(unsigned long long));
  auto* const sum = static_cast<unsigned long long*>(memory);
  const std::size_t words = bytes / sizeof(std::uint32_t);
  const unsigned blocks = std::min(blocks_for(words, threads), 8 * multiprocessors());
  gpu::check(cudaMemsetAsync(sum, 0, sizeof *sum));
  launch(checksum_kernel, {blocks, threads}, {}, static_cast<const unsigned char*>(data), words,
         bytes % sizeof(std::uint32_t), sum);
  unsigned long long result = 0;
  download(&result, sum, sizeof result);
  return result;
}

}  // namespace ladder
