#include "handwritten/scan/look_back.hpp"
#include "handwritten/scan/vectors.hpp"
#include "handwritten/scan/warp.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "single_pass with loads and stores of 16 bytes: a thread scans the elements of a vector, "
        "and a warp scans the totals of its vectors.",
    .follows = "single_pass",
    .step =
        "It has a quarter of the loads, stores and shuffles (half for 8-byte elements, an eighth "
        "for 2-byte ones). It marks "
        "stores, and loads of inputs that push others out of the cache, as needed once. That does "
        "not pay by itself, but later rungs use these vectors: on an H200 4-byte elements take as "
        "long, within 3 %, and 8-byte elements 5 to 9 % longer.",
    .costs =
        "Elements move one by one at the ends of the arrays, and everywhere if in and out lie at "
        "different distances from a 16-byte boundary.",
    .limited_by =
        "Reading the input and writing the output. Where all tiles start at the same time, the "
        "look-back.",
    .source = "Our own.",
    .same_bits_every_run = false,
};

constexpr unsigned threads = 256;
constexpr unsigned warps = threads / 32;
constexpr unsigned vectors = 4;  // of a thread: 64 bytes in flight in each, 16 KiB in a block
// On a multiprocessor. That leaves 40 registers for a thread of an H200. With as many as the kernel
// would take, the inclusive sum of 2^28 `i64` takes 1,638 us in place of 1,501, and that of 2^28
// `i32` 858 us in place of 844.
constexpr unsigned blocks = threads_of_multiprocessor * 3 / 4 / threads;

template <class Element, class Op, ScanKind kind, class T = Accumulator<Element>>
__global__ void __launch_bounds__(threads, blocks)
    vector_loads_kernel(ScanVectors<Element> arrays, Word* descriptors, Word* tickets) {
  const Op op;
  const T identity = Op::template identity<T>();
  __shared__ T of_warp[warps];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;

  const Turn turn = take_ticket(tickets);
  const std::size_t first = (std::size_t{turn.tile} * warps + warp) * (vectors * 32);
  Accumulators<Element> value[vectors];
  arrays.template load<Op>(first, value);

  T so_far = identity;  // of the warp
  T before_vector[vectors];
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
    scan_vector<Op>(value[k]);
    const T scanned = scan_warp<Op>(value[k].element[elements_of_vector<Element> - 1]);
    const T left = __shfl_up_sync(whole_warp, scanned, 1);
    before_vector[k] = op(so_far, lane == 0 ? identity : left);
    so_far = op(so_far, __shfl_sync(whole_warp, scanned, 31));
  }
  if (lane == 0) of_warp[warp] = so_far;
  __syncthreads();

  T before = identity, total = identity;  // what comes before the warp in its tile; the tile
#pragma unroll
  for (unsigned w = 0; w < warps; ++w) {
    if (w == warp) before = total;
    total = op(total, of_warp[w]);
  }
  before = op(before_tile<Op>(descriptors, turn, total), before);

#pragma unroll
  for (unsigned k = 0; k < vectors; ++k)
    put_before<Op, kind>(op(before, before_vector[k]), value[k]);
  arrays.store(first, value);
}

template <class T, class Op, ScanKind kind>
struct VectorLoads {
  ScanArguments<T> device;
  ScanVectors<T> arrays{device};
  unsigned tiles = arrays.tiles(threads * vectors);
  DeviceArray<Word> descriptors = zeros<Word>(std::size_t{tiles} * words<Accumulator<T>>);
  DeviceArray<Word> tickets = zeros<Word>(1);

  void operator()(Stream stream) {
    launch(vector_loads_kernel<T, Op, kind>, {tiles, threads}, stream, arrays, descriptors.data(),
           tickets.data());
  }
};

const RegisterScans<VectorLoads, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
