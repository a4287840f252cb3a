// The numbers of blocks and threads, x first. No call and no access comes of them.
#pragma once

#include "compare/emulated/types/cuda_words.hpp"

namespace ladder::emulated {

__forceinline__ unsigned threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__forceinline__ unsigned thread_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__forceinline__ unsigned blocks_of_grid() {
  return gridDim.x * gridDim.y * gridDim.z;
}
__forceinline__ unsigned block_rank() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

}  // namespace ladder::emulated
