#include "compare/operations/scan.hpp"
#include "handwritten/stream.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each device scans its own part of the data. Then it adds what comes before its part: the "
        "totals of the devices before it.",
    .follows = "waves_by_size",
    .step = "As many devices scan at the same time.",
    .costs =
        "The output is read and written once more: four words for each element in place of two. An "
        "event that all devices wait for.",
    .limited_by =
        "Each device's memory; over two devices it moves as many words on each as one device alone "
        "does on its own.",
    .source = "Our own; distributed-ranges scans in this way.",
};

// By one thread: sends the total of the device to all devices.
template <class T, class Op, ScanKind kind>
__global__ void send_last_kernel(ScanArguments<T> part, const __grid_constant__ Peers<T> mail,
                                 unsigned devices, unsigned place) {
  T total = Op::template identity<T>();
  if (part.n > 0)
    total = kind == ScanKind::inclusive ? part.out[part.n - 1]
                                        : Op{}(part.out[part.n - 1], part.in[part.n - 1]);
  for (unsigned device = 0; device < devices; ++device) mail.of[device][place] = total;
}

// totals: of the devices, `before` of which come before this one.
template <class T, class Op>
__global__ void add_kernel(T* out, std::size_t n, unsigned head, const T* totals, unsigned before) {
  constexpr unsigned vectors_in_flight = 4, width = elements_of_vector<T>;
  T carry = totals[0];
  for (unsigned device = 1; device < before; ++device) carry = Op{}(carry, totals[device]);
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
                    threads = std::size_t{gridDim.x} * blockDim.x;
  auto* const vectors = reinterpret_cast<Vector<T>*>(out + head);
  const std::size_t count = (n - head) / width, tail = head + count * width;
  for (std::size_t i = thread; i < count; i += vectors_in_flight * threads) {
    Vector<T> value[vectors_in_flight];
#pragma unroll
    for (unsigned k = 0; k < vectors_in_flight; ++k)
      if (i + k * threads < count) value[k] = vectors[i + k * threads];
#pragma unroll
    for (unsigned k = 0; k < vectors_in_flight; ++k) {
#pragma unroll
      for (unsigned e = 0; e < width; ++e) value[k].element[e] = Op{}(carry, value[k].element[e]);
      if (i + k * threads < count) vectors[i + k * threads] = value[k];
    }
  }
  if (thread < head) out[thread] = Op{}(carry, out[thread]);
  if (tail + thread < n) out[tail + thread] = Op{}(carry, out[tail + thread]);
}

template <class T, class Op, ScanKind kind>
class ScanThenAdd {
 public:
  explicit ScanThenAdd(const Spread<ScanArguments<T>>& spread)
      : spread_(spread), totals_(*spread.team, 2 * spread.team->size()) {
    spread.team->each([&](unsigned device, Stream) {
      scans_.push_back(
          prepare_rung<Scan<T, Op, kind>>("handwritten/scan/waves_by_size", spread.shards[device]));
    });
  }

  void operator()(const Team& team) {
    constexpr unsigned threads = 256, blocks_of_multiprocessor = 8;
    // a device may still read the totals of the last run
    const unsigned first = ++runs_ % 2 * team.size();
    team.each([&](unsigned device, Stream stream) {
      scans_[device]->run(stream);
      launch(send_last_kernel<T, Op, kind>, {1, 1}, stream, spread_.shards[device], totals_.peers(),
             team.size(), first + device);
    });
    team.join();
    team.each([&](unsigned device, Stream stream) {
      if (device == 0) return;
      const ScanArguments<T>& part = spread_.shards[device];
      const unsigned blocks =
          blocks_for(part.n, threads * elements_of_vector<T>, blocks_of_multiprocessor);
      launch(add_kernel<T, Op>, {blocks, threads}, stream, part.out, part.n,
             elements_before_boundary(part.out, part.n), totals_.of(device) + first, device);
    });
  }

 private:
  Spread<ScanArguments<T>> spread_;
  TeamArray<T> totals_;  // on each device: two times those of all
  std::vector<std::unique_ptr<Prepared>> scans_;
  unsigned runs_ = 0;
};

const RegisterScansOverDevices<ScanThenAdd> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
