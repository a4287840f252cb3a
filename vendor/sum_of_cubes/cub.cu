// cub: cub::DeviceReduce::TransformReduce, cubing each element on its way into the reduction.
//
// Source       CUB (CCCL), cub/device/device_reduce.cuh
// To know      More general than a rung: any iterators, any transformation, any operator. It promises the same bits from run to run on one GPU. Its
//              scratch memory is allocated in the constructor, outside the timed region.
#include <cub/device/device_reduce.cuh>

#include "compare/launch.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "vendor/library_operator.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

struct Cube {
  template <class T>
  constexpr T operator()(T x) const {
    return cube(x);
  }
};

template <class T>
class Cub {
 public:
  explicit Cub(const typename SumOfCubes<T>::Device& device) : device_(device) {
    enqueue(nullptr, Stream{});  // only asks how much scratch memory it needs
    scratch_ = DeviceArray<unsigned char>(scratch_bytes_);
  }

  void operator()(Stream stream) { enqueue(scratch_.data(), stream); }

 private:
  void enqueue(void* scratch, Stream stream) {
    cuda::check(cub::DeviceReduce::TransformReduce(scratch, scratch_bytes_, device_.in, device_.out, device_.n, LibraryOperator<Sum>{}, Cube{}, T(0),
                                                   static_cast<cudaStream_t>(stream.handle)));
  }

  typename SumOfCubes<T>::Device device_;
  std::size_t scratch_bytes_ = 0;
  DeviceArray<unsigned char> scratch_;
};

const Register<SumOfCubes, Cub, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "cub::DeviceReduce::TransformReduce: the library's tuned two-launch tree over the cubes.",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
