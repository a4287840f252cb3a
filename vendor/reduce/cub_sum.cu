#include <cub/device/device_reduce.cuh>

#include <concepts>

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_scratch.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceReduce::Sum from an array of f16 or bf16 to one element of that type: the call "
        "that needs no choice.",
    .follows = "cub" LADDER_RELEASE,
    .step =
        "It accumulates in the element type: 11 bits of f16, 8 of bf16. The sum of many elements "
        "loses most of them, and in f16 it overflows beyond 65,504.",
    .to_know =
        "Its bound of error is that of the element type. Beyond 1,024 elements of f16, and 128 of "
        "bf16, there is no bound, since the height of its tree is not measured.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL), cub/device/device_reduce.cuh.",
    .accumulates_elements = true,
};

template <class T, std::same_as<Sum> Op>
struct CubSum {
  typename Reduce<T, Op>::Device device;
  CubScratch scratch{call({}, device.out)};

  void operator()(Stream stream, Accumulator<T>* out) { scratch(call(stream, out)); }

 private:
  auto call(Stream stream, Accumulator<T>* out) const {
    return [=, this](void* memory, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(memory, bytes, in_library(device.in),
                                    reinterpret_cast<LibraryElement<T>*>(out), device.n, stream);
    };
  }
};

const Register<Reduce, CubSum, F16, BF16> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
