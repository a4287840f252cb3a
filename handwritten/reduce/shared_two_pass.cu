#include "handwritten/reduce/levels.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each block loads its slice into shared memory once and folds it there; one more block "
        "folds the partials.",
    .follows = "global_two_pass",
    .step =
        "A block reads 1,024 words of global memory and writes 1 for 1,024 elements: a third of "
        "the traffic of global_two_pass.",
    .costs = "It takes shared memory for one element a thread.",
    .limited_by = "Barriers and idle threads: half of the block only loads.",
    .repaired =
        "The kernel of the note does not compile as printed. It reads its result from shared "
        "memory at a global index, out of bounds for every block "
        "but the first: here it is element 0. It takes 2^20 elements only: here more levels follow "
        "for larger n.",
    .notes = "N3",
};

constexpr unsigned threads = 1024;

template <class T, class Op>
__global__ void shared_two_pass_kernel(const T* in, std::size_t n, T* partials) {
  const Op op;
  T* tile = dynamic_shared<T>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned t = threadIdx.x;

  tile[t] = i < n ? in[i] : Op::template identity<T>();
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = op(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = tile[0];
}

template <class T, class Op>
struct SharedTwoPass {
  typename Reduce<T, Op>::Device device;
  Levels<T> levels{device.n, threads};

  void operator()(Stream stream) {
    levels.run(device.in, device.out,
               [&](const T* in, std::size_t n, unsigned blocks, T* partials) {
                 launch(shared_two_pass_kernel<T, Op>, {blocks, threads, threads * sizeof(T)},
                        stream, in, n, partials);
               });
  }
};

const Register<Reduce, SharedTwoPass> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
