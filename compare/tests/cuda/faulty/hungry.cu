#include "compare/tests/cuda/faulty/faulty.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
class Hungry {
 public:
  explicit Hungry(const typename Reduce<T, Op>::Device&) : scratch_(std::size_t{1} << 50) {}
  void operator()(Stream) {}

 private:
  DeviceArray<T> scratch_;
};

const Register<Reduce, Hungry, std::int32_t> rung{{.idea = "Wants more memory than there is."}};

}  // namespace LADDER_UNIT
}  // namespace ladder
