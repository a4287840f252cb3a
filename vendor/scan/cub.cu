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

template <class T, class Op, ScanKind kind>
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
    if constexpr (kind == ScanKind::inclusive) {
      gpu::check(cub::DeviceScan::InclusiveScan(scratch, scratch_bytes_, device_.in, device_.out,
                                                op, device_.n, stream));
    } else {
      const T identity = Op::template identity<T>();
      gpu::check(cub::DeviceScan::ExclusiveScan(scratch, scratch_bytes_, device_.in, device_.out,
                                                op, identity, device_.n, stream));
    }
  }

  ScanArguments<T> device_;
  std::size_t scratch_bytes_ = 0;
  DeviceArray<unsigned char> scratch_;
};

const RegisterScans<Cub> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
