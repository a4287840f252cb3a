#include <cub/device/device_reduce.cuh>

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_scratch.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceReduce::Reduce with an operator of the library and our identity: the tuned "
        "two-launch tree of the library.",
    .to_know =
        "It is more general than a rung: it takes any iterators and any operator. It promises the "
        "same bits from run to run on one GPU. Its scratch "
        "memory is allocated in the constructor, outside the timed region. An answer for the host "
        "goes there without a copy.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL), cub/device/device_reduce.cuh.",
};

template <class T, class Op>
struct Cub {
  typename Reduce<T, Op>::Device device;
  CubScratch scratch{call({}, device.out)};

  void operator()(Stream stream, Accumulator<T>* out) { scratch(call(stream, out)); }

 private:
  auto call(Stream stream, Accumulator<T>* out) const {
    return [=, this](void* memory, std::size_t& bytes) {
      return cub::DeviceReduce::Reduce(memory, bytes, in_library(device.in), out, device.n,
                                       LibraryOperator<Op, T>{},
                                       Op::template identity<Accumulator<T>>(), stream);
    };
  }
};

const Register<Reduce, Cub, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
