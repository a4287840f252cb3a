#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>
#include <cub/device/device_reduce.cuh>

#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_scratch.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceReduce::TransformReduce over zipped inputs, which are multiplied on their way "
        "into the tuned two-launch tree of the library.",
    .to_know =
        "CUB has no dot product: this is the way to make one of it. A pair comes from a zip "
        "iterator, which is no pointer, so the elements are "
        "loaded one by one. It promises the same bits from run to run on one GPU. Its scratch "
        "memory is allocated in the constructor, outside the "
        "timed region. An answer for the host goes there without a copy. CUB before 2.4 does the "
        "same by Reduce over a transform iterator.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL), cub/device/device_reduce.cuh.",
};

template <class T>
struct Cub {
  typename Dot<T>::Device device;
  CubScratch scratch{call({}, device.out)};

  void operator()(Stream stream, Accumulator<T>* out) { scratch(call(stream, out)); }

 private:
  auto call(Stream stream, Accumulator<T>* out) const {
    return [=, this](void* memory, std::size_t& bytes) {
      const auto pairs = thrust::make_zip_iterator(in_library(device.a), in_library(device.b));
      const auto multiply = thrust::make_zip_function(LibraryOperator<Product, T>{});
      return cub_transform_reduce(memory, bytes, pairs, out, device.n, LibraryOperator<Sum, T>{},
                                  multiply, stream);
    };
  }
};

const Register<Dot, Cub, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
