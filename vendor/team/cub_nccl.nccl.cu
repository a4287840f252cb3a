#include <cub/device/device_scan.cuh>

#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "compare/operations/histogram.hpp"
#include "compare/operations/reduce.hpp"
#include "compare/operations/scan.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_scratch.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each device answers for its own part of the data by CUB, and ncclAllReduce combines the "
        "answers.",
    .to_know =
        "No library has the whole of it; cudax, the experimental part of CCCL, does it in this "
        "way. NCCL runs without NVLink multicast. All memory "
        "is allocated in the constructor, outside the timed region.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL); NVIDIA NCCL, ncclAllReduce.",
    .collective = true,
};
constexpr Card card_of_scan{
    .idea =
        "Each device reduces its part by CUB, ncclAllGather gives all totals to each, and "
        "cub::DeviceScan begins with those before the part.",
    .to_know =
        "No library has the whole of it; cudax, the experimental part of CCCL, does it in this "
        "way. A kernel of one thread combines the totals "
        "before a part, and CUB reads its initial value where that leaves it, CUB before 2.7 by a "
        "transform iterator. NCCL runs without NVLink "
        "multicast. The look-back combines "
        "floats in an order that depends on which block is ready when. All memory is allocated in "
        "the constructor, outside the timed region.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL), cub/device/device_scan.cuh; NVIDIA NCCL, ncclAllGather.",
    .same_bits_every_run = false,
    .collective = true,
};

// The call of the same version of CUB for one device.
inline std::string cub_for(std::string_view operation) {
  return "vendor/" + std::string(operation) + "/cub" LADDER_RELEASE;
}

template <class Operation>
requires CombinesDevices<typename PartsOf<Operation>::Combine>
class CubNccl {
 public:
  using Device = typename Operation::Device;
  using Answer = std::remove_pointer_t<decltype(Device::out)>;

  explicit CubNccl(const Spread<Device>& spread)
      : spread_(spread),
        elements_(spread.own().results()),
        answers_(*spread.team, elements_),
        calls_(spread.team->size()) {
    spread.team->each([&](unsigned device, Stream) {
      Device part = spread.shards[device];
      part.out = answers_.of(device);
      calls_[device] = prepare_rung<Operation>(cub_for(Operation::name), part);
    });
  }

  void operator()(const Team& team) {
    team.each([&](unsigned device, Stream stream) { calls_[device]->run(stream); });
    team.all_reduce<typename PartsOf<Operation>::Combine>(
        dtype_of<Answer>(), elements_, [&](unsigned device) {
          return backend::Exchange{answers_.of(device), spread_.shards[device].out};
        });
  }

 private:
  Spread<Device> spread_;
  std::size_t elements_;
  TeamArray<Answer> answers_;  // of each device
  std::vector<std::unique_ptr<Prepared>> calls_;
};

// By one thread: before = totals[0] op totals[1] op .. of the devices before this one.
template <class T, class Op>
__global__ void fold_totals_kernel(const T* totals, unsigned devices_before, T* before) {
  T folded = Op::template identity<T>();
  for (unsigned device = 0; device < devices_before; ++device)
    folded = Op{}(folded, totals[device]);
  *before = folded;
}

// The operators of the libraries. CUB reduces by none that does not commute.
template <class Op>
concept OfLibraries = !std::same_as<LibraryOperator<Op, std::int32_t>, Op>;

template <class T, OfLibraries Op, ScanKind kind>
class ScanByCubNccl {
 public:
  explicit ScanByCubNccl(const Spread<ScanArguments<T>>& spread)
      : spread_(spread),
        total_(*spread.team, 1),
        totals_(*spread.team, spread.team->size()),
        before_(*spread.team, 1),
        calls_(spread.team->size()) {
    spread.team->each([&](unsigned device, Stream) {
      const ScanArguments<T>& part = spread.shards[device];
      Calls& calls = calls_[device];
      calls.reduction =
          prepare_rung<Reduce<T, Op>>(cub_for("reduce"), {part.in, part.n, total_.of(device)});
      calls.scan_scratch.emplace(scan(device, Stream{}));
    });
  }

  void operator()(const Team& team) {
    team.each([&](unsigned device, Stream stream) { calls_[device].reduction->run(stream); });
    team.all_gather(sizeof(T), [&](unsigned device) {
      return backend::Exchange{total_.of(device), totals_.of(device)};
    });
    team.each([&](unsigned device, Stream stream) {
      launch(fold_totals_kernel<T, Op>, {1, 1}, stream, totals_.of(device), device,
             before_.of(device));
      (*calls_[device].scan_scratch)(scan(device, stream));
    });
  }

 private:
  struct Calls {
    std::unique_ptr<Prepared> reduction;
    std::optional<CubScratch> scan_scratch;
  };

  auto scan(unsigned device, Stream stream) const {
    return [part = spread_.shards[device], before = before_.of(device), stream](
               void* memory, std::size_t& bytes) {
      const LibraryOperator<Op, T> op{};
      if constexpr (kind == ScanKind::inclusive)
        return cub_inclusive_scan_from(before, memory, bytes, part.in, part.out, op, part.n,
                                       stream);
      else
        return cub::DeviceScan::ExclusiveScan(memory, bytes, part.in, part.out, op,
                                              cub::FutureValue<T>(before), part.n, stream);
    };
  }

  Spread<ScanArguments<T>> spread_;
  // on each device: its own, those of all, and all that comes before its part
  TeamArray<T> total_, totals_, before_;
  std::vector<Calls> calls_;  // of each device
};

const RegisterEachOverDevices<CubNccl, Reduce, SumOfCubes, Dot, Histogram> rungs{card};
const RegisterScansOverDevices<ScanByCubNccl> scans{card_of_scan};

}  // namespace LADDER_UNIT
}  // namespace ladder
