#include <cub/device/device_scan.cuh>

#include "compare/launch.hpp"
#include "compare/operations/scan.hpp"
#include "vendor/cccl.hpp"
#include "vendor/library_operator.hpp"

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

template <class T, class Op, bool inclusive>
class Cub {
 public:
  explicit Cub(const ScanArguments<T>& device) : device_(device) {
    enqueue(nullptr, Stream{});  // only asks how much scratch memory it needs
    scratch_ = DeviceArray<unsigned char>(scratch_bytes_);
  }

  void operator()(Stream stream) { enqueue(scratch_.data(), stream); }

 private:
  void enqueue(void* scratch, Stream stream) {
    const LibraryOperator<Op> op{};
    const auto handle = static_cast<cudaStream_t>(stream.handle);
    if constexpr (inclusive) {
      gpu::check(cub::DeviceScan::InclusiveScan(scratch, scratch_bytes_, device_.in, device_.out,
                                                op, device_.n, handle));
    } else {
      const T identity = Op::template identity<T>();
      gpu::check(cub::DeviceScan::ExclusiveScan(scratch, scratch_bytes_, device_.in, device_.out,
                                                op, identity, device_.n, handle));
    }
  }

  ScanArguments<T> device_;
  std::size_t scratch_bytes_ = 0;
  DeviceArray<unsigned char> scratch_;
};

template <class T, class Op>
using InclusiveCub = Cub<T, Op, true>;
template <class T, class Op>
using ExclusiveCub = Cub<T, Op, false>;

const Register<InclusiveScan, InclusiveCub, std::int32_t, std::int64_t, float, double> inclusive{
    card};
const Register<ExclusiveScan, ExclusiveCub, std::int32_t, std::int64_t, float, double> exclusive{
    card};

}  // namespace LADDER_UNIT
}  // namespace ladder
