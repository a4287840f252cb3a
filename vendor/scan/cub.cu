#include <cub/device/device_scan.cuh>

#include "compare/launch.hpp"
#include "compare/operations/scan.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_scratch.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceScan: the single pass of the library with decoupled look-back, after a launch "
        "that resets its flags.",
    .to_know =
        "It is more general than a rung: it takes any iterators and any operator. The operator is "
        "the library's, where it has one. The look-back "
        "combines floats in an order that depends on which block is ready when, so they do not "
        "give the same bits every time. Its scratch memory is "
        "allocated in the constructor, outside the timed region.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL), cub/device/device_scan.cuh.",
    .same_bits_every_run = false,
};

template <class T, class Op, ScanKind kind>
struct Cub {
  ScanArguments<T> device;
  CubScratch scratch{call({})};

  void operator()(Stream stream) { scratch(call(stream)); }

 private:
  auto call(Stream stream) const {
    return [=, this](void* memory, std::size_t& bytes) {
      const LibraryOperator<Op, T> op{};
      const auto* const in = in_library(device.in);
      auto* const out = in_library(device.out);
      const auto identity = Op::template identity<Accumulator<T>>();
      if constexpr (kind == ScanKind::exclusive)
        return cub::DeviceScan::ExclusiveScan(memory, bytes, in, out, op, identity, device.n,
                                              stream);
      else if constexpr (std::is_same_v<T, Accumulator<T>>)
        return cub::DeviceScan::InclusiveScan(memory, bytes, in, out, op, device.n, stream);
      else return cub_inclusive_scan(identity, memory, bytes, in, out, op, device.n, stream);
    };
  }
};

const RegisterScans<Cub, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
