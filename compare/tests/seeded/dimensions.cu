// Mistakes of blocks and grids in two and three dimensions.
#include "compare/tests/seeded/launched.hpp"

namespace ladder::seeded {
namespace {

constexpr unsigned whole_warp = 0xffffffff;

// A matrix of 32 rows and columns, by a block of 32 x 8 threads.
template <bool right>
__global__ void transpose_kernel(const int* in, int* out) {
  __shared__ int tile[32][33];
  const unsigned x = threadIdx.x;
  for (unsigned y = threadIdx.y; y < 32; y += blockDim.y) tile[y][x] = in[32 * y + x];
  if (right) __syncthreads();
  for (unsigned y = threadIdx.y; y < 32; y += blockDim.y) out[32 * y + x] = tile[x][y];
}

// Each row of 16 threads folds its elements; a warp has two rows.
enum class Slip { none, mask_of_first_row, width_of_warp };

template <Slip slip>
__global__ void row_sums_kernel(const int* in, int* out) {
  const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x;
  const unsigned mask = slip == Slip::mask_of_first_row ? 0xffffU : 0xffffU << (rank % 32 & 16);
  int sum = in[rank];
  for (int distance = slip == Slip::width_of_warp ? 16 : 8; distance > 0; distance /= 2)
    sum += slip == Slip::width_of_warp ? __shfl_down_sync(whole_warp, sum, distance)
                                       : __shfl_down_sync(mask, sum, distance, 16);
  if (threadIdx.x == 0) out[threadIdx.y] = sum;
}

template <Slip slip>
void row_sums() {
  const auto in = uploaded(counted<int>(128)), out = uploaded(std::vector<int>(8));
  launch(row_sums_kernel<slip>, {.grid = 1, .block = {16, 8}}, {}, in.data(), out.data());
  const auto sums = downloaded(out, 8);
  for (int y = 0; y < 8; ++y) expect(sums[static_cast<unsigned>(y)] == 16 * 16 * y + 120);
}

// A row of 64 threads is two warps.
template <bool right>
__global__ void turned_rows_kernel(const int* in, int* out) {
  __shared__ int tile[4][64];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[64 * y + x];
  if (right) __syncthreads();
  else __syncwarp();
  out[64 * y + x] = tile[y][63 - x];
}

// 20 rows of 50 elements, by blocks of 16 x 4 threads.
constexpr unsigned width = 50, height = 20;
template <bool right>
__global__ void double_matrix_kernel(const int* in, int* out) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x,
                 y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    const unsigned i = right ? y * width + x : x * width + y;
    out[i] = 2 * in[i];
  }
}

template <bool right>
__global__ void histogram_of_image_kernel(const int* in, int* out) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x,
                 y = blockIdx.y * blockDim.y + threadIdx.y;
  int& bin = out[in[y * gridDim.x * blockDim.x + x] % 8];
  if (right) atomicAdd(&bin, 1);
  else bin += 1;
}

// Each row has a first thread.
template <bool right>
__global__ void first_thread_kernel(const int* in, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0 && (!right || threadIdx.y == 0)) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[threadIdx.y * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) *out = sum;
}

// All rows have the same columns.
template <bool right>
__global__ void stage_kernel(const int* in, int* out) {
  __shared__ int tile[256];
  const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x, own = right ? rank : threadIdx.x;
  tile[own] = in[rank];
  __syncthreads();
  out[rank] = tile[own];
}

// So have all rows of blocks.
template <bool right>
__global__ void result_of_block_kernel(const int* in, int* out) {
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  out[right ? block : blockIdx.x] = in[block];
}

__global__ void layers_kernel(const int* in, int* out) {
  const unsigned rank = threadIdx.z * blockDim.x + threadIdx.x;
  out[rank] = in[rank];
}

}  // namespace

void add_mistakes_in_two_dimensions(std::vector<Mistake>& mistakes) {
  const auto add = [&](auto name, auto kind, auto words, SeenBy seen_by, Run wrong, Run right) {
    mistakes.push_back({name, kind, words, seen_by, wrong, right, true});
  };
  constexpr const char *race = "race", *fault = "fault";
  const LaunchShape rows{.grid = 1, .block = {32, 8}}, wide_rows{.grid = 1, .block = {64, 4}};
  const LaunchShape tiles{.grid = {4, 5}, .block = {16, 4}}, blocks{.grid = {2, 3}, .block = 1};

  add("transpose_without_barrier", race, "shared tile + ", {.racecheck = found},
      launched(transpose_kernel<false>, rows), launched(transpose_kernel<true>, rows));
  add("mask_of_the_first_row", fault, "with mask 0x0000ffff, which does not name it", {},
      row_sums<Slip::mask_of_first_row>, row_sums<Slip::none>);
  add("row_taken_for_a_warp", "wrong answer", "the answer is wrong", {},
      row_sums<Slip::width_of_warp>, row_sums<Slip::none>);
  add("syncwarp_for_a_row", race, "no __syncthreads", {.racecheck = found},
      launched(turned_rows_kernel<false>, wide_rows),
      launched(turned_rows_kernel<true>, wide_rows));
  add("row_and_column_mixed_up", fault, "of array (4000 bytes)", {.memcheck = found},
      launched(double_matrix_kernel<false>, tiles, width * height),
      launched(double_matrix_kernel<true>, tiles, width * height));
  add("histogram_of_an_image", race, "orders the two blocks", {},
      launched(histogram_of_image_kernel<false>, {.grid = {2, 2}, .block = {16, 16}}),
      launched(histogram_of_image_kernel<true>, {.grid = {2, 2}, .block = {16, 16}}));
  add("first_thread_of_each_row", race, "shared sum", {},
      launched(first_thread_kernel<false>, rows), launched(first_thread_kernel<true>, rows));
  add("column_taken_for_a_thread", race, "shared tile", {.racecheck = found},
      launched(stage_kernel<false>, rows), launched(stage_kernel<true>, rows));
  add("column_taken_for_a_block", race, "orders the two blocks", {},
      launched(result_of_block_kernel<false>, blocks),
      launched(result_of_block_kernel<true>, blocks));
  add("more_layers_than_a_block_has", fault, "blocks of 2 x 1 x 128 threads", {.memcheck = found},
      launched(layers_kernel, {.grid = 1, .block = {2, 1, 128}}),
      launched(layers_kernel, {.grid = 1, .block = {4, 1, 64}}));
}

}  // namespace ladder::seeded
