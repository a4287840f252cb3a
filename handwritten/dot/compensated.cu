#include "compare/operations/dot.hpp"
#include "handwritten/dot/compensated.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Dot2: each product and each addition also gives the exact error of its rounding, and the "
        "errors are added up beside the sum.",
    .follows = "dot2_kahan",
    .step =
        "The result is as good as if it were computed in twice the precision and rounded once. The "
        "compensation stands where something is lost: in "
        "the sum of each thread and in the tree.",
    .costs =
        "It takes ten operations for a pair of elements in place of one, twice the shared memory "
        "in the tree, and a second launch.",
    .limited_by =
        "Reading the input: there are operations to spare while the memory works. Integers lose "
        "nothing and are added up plainly.",
    .source =
        "T. Ogita, S. M. Rump and S. Oishi, Accurate sum and dot product, SIAM Journal on "
        "Scientific Computing 26 (2005), algorithm 5.3; TwoSum is "
        "Knuth's.",
    .compensated = true,
};

constexpr unsigned threads = 256;
// 2,048 resident threads, the most that a multiprocessor takes
constexpr unsigned blocks_per_multiprocessor = 8;

template <class T>
__device__ Compensated<T> fold_tree(Compensated<T> mine) {
  __shared__ T sums[threads], errors[threads];
  const unsigned t = threadIdx.x;
  sums[t] = mine.sum;
  errors[t] = mine.error;
  __syncthreads();

  for (unsigned stride = threads / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      mine = CompensatedSum{}(mine, Compensated<T>{sums[t + stride], errors[t + stride]});
      sums[t] = mine.sum;
      errors[t] = mine.error;
    }
    __syncthreads();
  }
  return mine;  // the block's in thread 0
}

template <class T>
__global__ void compensated_kernel(const T* a, const T* b, std::size_t n,
                                   Compensated<T>* partials) {
  const std::size_t stride = std::size_t{gridDim.x} * threads;

  Compensated<T> mine = {0, 0};
#pragma unroll 4
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride)
    mine = CompensatedSum{}(mine, exact_product(a[i], b[i]));

  mine = fold_tree(mine);
  if (threadIdx.x == 0) partials[blockIdx.x] = mine;
}

template <class T>
__global__ void compensated_partials_kernel(const Compensated<T>* partials, unsigned count,
                                            T* out) {
  Compensated<T> mine = {0, 0};
  for (unsigned k = threadIdx.x; k < count; k += threads)
    mine = CompensatedSum{}(mine, partials[k]);

  mine = fold_tree(mine);
  if (threadIdx.x == 0) *out = rounded(mine);
}

template <class T>
struct CompensatedDot {
  typename Dot<T>::Device device;
  unsigned blocks = blocks_for(device.n, threads, blocks_per_multiprocessor);
  DeviceArray<Compensated<T>> partials{blocks};

  void operator()(Stream stream) {
    launch(compensated_kernel<T>, {blocks, threads}, stream, device.a, device.b, device.n,
           partials.data());
    launch(compensated_partials_kernel<T>, {1, threads}, stream, partials.data(), blocks,
           device.out);
  }
};

const Register<Dot, CompensatedDot> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
