#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>
#include <cub/device/device_reduce.cuh>

#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/cccl.hpp"
#include "vendor/library_operator.hpp"

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
class Cub {
 public:
  explicit Cub(const typename Dot<T>::Device& device) : device_(device) {
    enqueue(nullptr, Stream{}, device.out);  // only asks how much scratch memory it needs
    scratch_ = DeviceArray<unsigned char>(scratch_bytes_);
  }

  void operator()(Stream stream, T* out) { enqueue(scratch_.data(), stream, out); }

 private:
  void enqueue(void* scratch, Stream stream, T* out) {
    const auto pairs = thrust::make_zip_iterator(device_.a, device_.b);
    const auto multiply = thrust::make_zip_function(LibraryOperator<Product>{});
    gpu::check(cub_transform_reduce(scratch, scratch_bytes_, pairs, out, device_.n,
                                    LibraryOperator<Sum>{}, multiply, stream));
  }

  typename Dot<T>::Device device_;
  std::size_t scratch_bytes_ = 0;
  DeviceArray<unsigned char> scratch_;
};

const Register<Dot, Cub> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
