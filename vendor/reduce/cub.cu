#include <cub/device/device_reduce.cuh>

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"
#include "vendor/cccl.hpp"
#include "vendor/library_operator.hpp"

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
class Cub {
 public:
  explicit Cub(const typename Reduce<T, Op>::Device& device) : device_(device) {
    enqueue(nullptr, Stream{}, device.out);  // only asks how much scratch memory it needs
    scratch_ = DeviceArray<unsigned char>(scratch_bytes_);
  }

  void operator()(Stream stream, T* out) { enqueue(scratch_.data(), stream, out); }

 private:
  void enqueue(void* scratch, Stream stream, T* out) {
    gpu::check(cub::DeviceReduce::Reduce(scratch, scratch_bytes_, device_.in, out, device_.n,
                                         LibraryOperator<Op>{}, Op::template identity<T>(),
                                         stream));
  }

  typename Reduce<T, Op>::Device device_;
  std::size_t scratch_bytes_ = 0;
  DeviceArray<unsigned char> scratch_;
};

const Register<Reduce, Cub> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
