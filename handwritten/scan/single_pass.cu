#include "compare/operations/scan.hpp"
#include "handwritten/scan/look_back.hpp"
#include "handwritten/scan/warp.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "One launch: each block scans a tile in registers, publishes its total, and looks back at "
        "the totals that the blocks before it have "
        "published.",
    .follows = "warp_shuffle",
    .step = "It reads every element once and writes it once: two words for each in place of four.",
    .costs =
        "Each tile takes a ticket and a published descriptor, and waits for the tiles before it. "
        "Floats are combined in an order that depends on "
        "which block is ready when.",
    .limited_by =
        "Reading the input and writing the output. Where all tiles start at the same time, the "
        "look-back.",
    .source =
        "D. Merrill and M. Garland, Single-pass parallel prefix scan with decoupled look-back, "
        "NVIDIA report NVR-2016-002 (2016); the tags that need "
        "no reset are our own.",
    .same_bits_every_run = false,
};

constexpr unsigned threads = 256;
constexpr unsigned warps = threads / 32;

template <class T>
constexpr unsigned rows =
    64 / sizeof(T);  // elements of a thread: 64 bytes in flight in each, 16 KiB in a block
template <class T>
constexpr unsigned tile_size = threads* rows<T>;

template <class Element, class Op, ScanKind kind, class T = Accumulator<Element>>
__global__ void __launch_bounds__(threads)
    single_pass_kernel(const Element* in, std::size_t n, Element* out, Word* descriptors,
                       Word* tickets) {
  const Op op;
  const T identity = Op::template identity<T>();
  __shared__ T of_warp[warps];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;

  const Turn turn = take_ticket(tickets);
  const std::size_t first =
      std::size_t{turn.tile} * tile_size<Element> + warp * (rows<Element> * 32) + lane;
  T value[rows<Element>];
  const bool is_whole = std::size_t{turn.tile + 1} * tile_size<Element> <= n;
#pragma unroll
  for (unsigned k = 0; k < rows<Element>; ++k)
    value[k] = is_whole || first + k * 32 < n ? T(in[first + k * 32]) : identity;

  T so_far = identity;  // of the warp
#pragma unroll
  for (unsigned k = 0; k < rows<Element>; ++k) {
    const T scanned = scan_warp<Op>(value[k]);
    const T left = __shfl_up_sync(whole_warp, scanned, 1);
    value[k] = op(so_far, kind == ScanKind::inclusive ? scanned : lane == 0 ? identity : left);
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
  for (unsigned k = 0; k < rows<Element>; ++k) {
    if (first + k * 32 < n) out[first + k * 32] = static_cast<Element>(op(before, value[k]));
  }
}

template <class T, class Op, ScanKind kind>
struct SinglePass {
  ScanArguments<T> device;
  unsigned tiles = blocks_for(device.n, tile_size<T>);
  DeviceArray<Word> descriptors = zeros<Word>(std::size_t{tiles} * words<Accumulator<T>>);
  DeviceArray<Word> tickets = zeros<Word>(1);

  void operator()(Stream stream) {
    launch(single_pass_kernel<T, Op, kind>, {tiles, threads}, stream, device.in, device.n,
           device.out, descriptors.data(), tickets.data());
  }
};

const RegisterScans<SinglePass, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
