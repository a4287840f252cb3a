#include <cub/device/device_reduce.cuh>

#include "compare/launch.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "vendor/cccl.hpp"
#include "vendor/library_operator.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceReduce::TransformReduce: each element is cubed on its way into the tuned "
        "two-launch tree of the library.",
    .to_know =
        "It is more general than a rung: it takes any iterators, any transformation and any "
        "operator. It promises the same bits from run to run on "
        "one GPU. Its scratch memory is allocated in the constructor, outside the timed region. An "
        "answer for the host goes there without a copy. "
        "CUB before 2.4 does the same by Reduce over a transform iterator.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL), cub/device/device_reduce.cuh.",
};

template <class T>
class Cub {
 public:
  explicit Cub(const typename SumOfCubes<T>::Device& device) : device_(device) {
    enqueue(nullptr, Stream{}, device.out);  // only asks how much scratch memory it needs
    scratch_ = DeviceArray<unsigned char>(scratch_bytes_);
  }

  void operator()(Stream stream, T* out) { enqueue(scratch_.data(), stream, out); }

 private:
  void enqueue(void* scratch, Stream stream, T* out) {
    gpu::check(cub_transform_reduce(scratch, scratch_bytes_, device_.in, out, device_.n,
                                    LibraryOperator<Sum>{}, Cube{}, stream));
  }

  typename SumOfCubes<T>::Device device_;
  std::size_t scratch_bytes_ = 0;
  DeviceArray<unsigned char> scratch_;
};

const Register<SumOfCubes, Cub> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
