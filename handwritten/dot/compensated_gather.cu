#include <type_traits>

#include "handwritten/dot/compensated.hpp"
#include "handwritten/dot/pairs_in_one_launch.hpp"
#include "handwritten/gather.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "compensated with the loads, the fold and the finish of gather.",
    .follows = "compensated",
    .step = "16-byte loads, several of them in flight; one barrier for a fold; and one launch.",
    .costs =
        "It takes ten operations for a pair of elements in place of one. Single elements are "
        "loaded where a and b lie at different distances from a "
        "16-byte boundary.",
    .limited_by =
        "Reading the input: there are operations to spare while the memory works. Integers lose "
        "nothing and are added up plainly.",
    .source =
        "T. Ogita, S. M. Rump and S. Oishi, Accurate sum and dot product, SIAM Journal on "
        "Scientific Computing 26 (2005), algorithm 5.3; the finish "
        "is our own.",
    .compensated = true,
};

template <class T, class Shape, unsigned width>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    compensated_gather_kernel(const T* a, const T* b, std::size_t n, unsigned head, Word* slots,
                              T* out) {
  begin_in_turn();
  Compensated<T> value = {0, 0};
  stream_pairs<(Shape::vectors + 1) / 2, width, Shape::once>(
      a, b, n, head, [&](T x, T y) { value = CompensatedSum{}(value, exact_product(x, y)); });
  if (finish_by_gathering<CompensatedSum, Shape::threads>(value, slots)) *out = rounded(value);
}

// Two sums of 8 bytes and two pairs of vectors take more than 32 registers. On an H200, with 64 of
// them, the dot of 2^22 `f64` takes 23.2 us in place of 24.9, and that of 2^26 252 us in place of
// 249.
template <class T>
using Large =
    std::conditional_t<std::is_same_v<T, double>, Shape<512, 4, true, 2>, Shape<1024, 4, true>>;

template <class T>
class CompensatedGather {
 public:
  explicit CompensatedGather(const typename Dot<T>::Device& device)
      : out_(device.out),
        launch_(
            device,
            []<class Shape, unsigned width>(Shape, Width<width>) {
              return compensated_gather_kernel<T, Shape, width>;
            },
            words<Compensated<T>>) {}

  void operator()(Stream stream) { launch_(stream, out_); }

 private:
  T* out_;
  PairsInOneLaunch<T, Large<T>> launch_;
};

const Register<Dot, CompensatedGather> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
