// The look-back of scans in one launch. On the emulated backend blocks run one after another, so
// the tile before always knows everything already; here the descriptors are prepared as they may be
// found on a GPU: some tiles know their own total only.
#include "handwritten/scan/look_back.hpp"

#include <random>
#include <vector>

#include "compare/operators.hpp"
#include "compare/tests/catch.hpp"

using namespace ladder;

namespace {

template <class T>
__global__ void prepare_kernel(Word* descriptors, const T* values, const unsigned* tags,
                               unsigned tiles) {
  for (unsigned t = threadIdx.x; t < tiles; t += blockDim.x)
    publish(descriptors + t * std::size_t{words<T>}, tags[t], values[t]);
}

template <class T, class Op>
__global__ void ask_kernel(const Word* descriptors, unsigned tile, unsigned run, T* out) {
  const T before = look_back<T, Op>(descriptors, tile, run);
  if (threadIdx.x == 0) *out = before;
}

// `nearest`: the last tile before `tile` that knows the prefix up to itself. Of those before it,
// every second one does where `more` is set.
template <class T, class Op>
void check(unsigned run, unsigned tile, unsigned nearest, bool more) {
  std::mt19937_64 random(tile);
  std::vector<T> values(tile);
  std::vector<unsigned> tags(tile);
  T prefix = Op::template identity<T>();
  for (unsigned t = 0; t < tile; ++t) {
    // of Compose, an odd factor: many even ones are 0 together
    const T total = static_cast<T>(random() | std::uint64_t{1} << 32);
    prefix = Op{}(prefix, total);
    const bool knows_prefix = t == nearest || t == 0 || (more && t < nearest && t % 2 == 0);
    values[t] = knows_prefix ? prefix : total;
    tags[t] = tag_of(run, knows_prefix);
  }
  DeviceArray<T> device_values(tile), out(1);
  DeviceArray<unsigned> device_tags(tile);
  DeviceArray<Word> descriptors(tile * words<T>);
  backend::upload(device_values.data(), values.data(), tile * sizeof(T));
  backend::upload(device_tags.data(), tags.data(), tile * sizeof(unsigned));
  launch(prepare_kernel<T>, {1, 32}, {}, descriptors.data(), device_values.data(),
         device_tags.data(), tile);
  launch(ask_kernel<T, Op>, {1, 32}, {}, descriptors.data(), tile, run, out.data());
  T got;
  backend::download(&got, out.data(), sizeof got);
  INFO(Op::name << ", run " << run << ", tile " << tile << ", nearest " << nearest
                << (more ? ", and more" : ""));
  CHECK(got == prefix);
}

}  // namespace

TEMPLATE_TEST_CASE("the look-back combines every tile before it, in order", "",
                   (std::pair<std::int64_t, Compose>), (std::pair<std::int32_t, Sum>),
                   (std::pair<std::int64_t, Sum>), (std::pair<float, LogicalOr>)) {
  using T = typename TestType::first_type;
  using Op = typename TestType::second_type;
  for (const unsigned run : {1U, 2U, 0x7fffffffU, 0x80000000U})
    for (const unsigned tile : {1U, 2U, 31U, 32U, 33U, 64U, 65U, 96U, 200U})
      for (const unsigned nearest : {0U, 1U, 30U, 31U, 32U, 33U, 63U, 64U, 65U, 100U, 199U})
        for (const bool more : {false, true})
          if (nearest < tile) check<T, Op>(run, tile, nearest, more);
}
