// A scan over devices in two passes: each device folds its part and sends the total to all; then it
// scans the part after the totals of those before.
#pragma once

#include <vector>

#include "handwritten/team/strands.hpp"

namespace ladder {

template <class T, class Op, bool backwards>
__global__ void __launch_bounds__(Strands<T>::threads, Strands<T>::blocks_of_multiprocessor)
    fold_strands_kernel(Strands<T> strands, T* totals) {
  const T total = strands.template total<Op, backwards>();
  if (threadIdx.x % 32 == 0) totals[(blockIdx.x * Strands<T>::threads + threadIdx.x) / 32] = total;
}

constexpr unsigned threads_of_carries = 512;

// By one block: puts all that comes before a strand on this device in place of the strand's total,
// and sends the device's to all devices.
template <class T, class Op>
__global__ void carries_kernel(T* totals, unsigned strands, const __grid_constant__ Peers<T> mail,
                               unsigned devices, unsigned place) {
  constexpr unsigned warps = threads_of_carries / 32;
  __shared__ T of_warp[warps];
  const T identity = Op::template identity<T>();
  const unsigned each = (strands + threads_of_carries - 1) / threads_of_carries,
                 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = threadIdx.x * each, last = first + each < strands ? first + each : strands;

  T total = identity;
  for (unsigned k = first; k < last; ++k) total = Op{}(total, totals[k]);
  const T scanned = scan_warp<Op>(total), left = __shfl_up_sync(whole_warp, scanned, 1);
  if (lane == 31) of_warp[warp] = scanned;
  __syncthreads();
  T before = identity;
  for (unsigned w = 0; w < warp; ++w) before = Op{}(before, of_warp[w]);
  if (lane > 0) before = Op{}(before, left);
  for (unsigned k = first; k < last; ++k) {
    const T next = Op{}(before, totals[k]);
    totals[k] = before;
    before = next;
  }
  if (threadIdx.x == threads_of_carries - 1)
    for (unsigned device = 0; device < devices; ++device) mail.of[device][place] = before;
}

// totals: of the devices, `devices_before` of which come before this one.
template <class T, class Op, ScanKind kind>
__global__ void scan_strands_kernel(Strands<T> strands, const T* carries, const T* totals,
                                    unsigned devices_before) {
  T before = Op::template identity<T>();
  for (unsigned device = 0; device < devices_before; ++device)
    before = Op{}(before, totals[device]);
  strands.template scan<Op, kind>(
      Op{}(before, carries[(blockIdx.x * Strands<T>::threads + threadIdx.x) / 32]));
}

// The launches of one device.
template <class T>
struct StrandsOfDevice {
  explicit StrandsOfDevice(const ScanArguments<T>& part)
      : strands(part), carries(strands.count()) {}

  // mail, devices, place: of carries_kernel.
  template <class Op, bool backwards>
  void fold(Stream stream, const Peers<T>& mail, unsigned devices, unsigned place) const {
    launch(fold_strands_kernel<T, Op, backwards>, {strands.blocks, strands.threads}, stream,
           strands, carries.data());
    launch(carries_kernel<T, Op>, {1, threads_of_carries}, stream, carries.data(), strands.count(),
           mail, devices, place);
  }

  template <class Op, ScanKind kind>
  void scan(Stream stream, const T* totals, unsigned devices_before) const {
    launch(scan_strands_kernel<T, Op, kind>, {strands.blocks, strands.threads}, stream, strands,
           carries.data(), totals, devices_before);
  }

  Strands<T> strands;
  DeviceArray<T> carries;  // of each strand: its total, and then all that comes before it
};

template <class T, class Op, ScanKind kind, bool backwards>
class ReduceThenScan {
 public:
  explicit ReduceThenScan(const Spread<ScanArguments<T>>& spread)
      : totals_(*spread.team, 2 * spread.team->size()) {
    spread.team->each([&](unsigned device, Stream) { parts_.emplace_back(spread.shards[device]); });
  }

  void operator()(const Team& team) {
    // a device may still read the totals of the last run
    const unsigned first = ++runs_ % 2 * team.size();
    team.each([&](unsigned device, Stream stream) {
      parts_[device].template fold<Op, backwards>(stream, totals_.peers(), team.size(),
                                                  first + device);
    });
    team.join();
    team.each([&](unsigned device, Stream stream) {
      parts_[device].template scan<Op, kind>(stream, totals_.of(device) + first, device);
    });
  }

 private:
  TeamArray<T> totals_;  // on each device: two times those of all
  std::vector<StrandsOfDevice<T>> parts_;
  unsigned runs_ = 0;
};

}  // namespace ladder
