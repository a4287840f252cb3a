// The kernel of one_wave where an input takes several launches: each begins with what the last has left in the output. The rung does so only for
// inputs that are larger than the GPU, which would take long here.
#include "handwritten/scan/one_wave.hpp"

#include <random>
#include <vector>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;

namespace {

constexpr unsigned threads = 64, vectors = 2;
constexpr unsigned tile = threads * vectors * elements_of_vector<std::int64_t>;

template <ScanKind kind>
void check(std::size_t n, std::size_t offset_in, std::size_t offset_out, unsigned blocks_of_launch) {
  std::mt19937_64 random(n);
  std::vector<std::int64_t> values(offset_in + n), expected(n);
  for (auto& value : values) value = static_cast<std::int64_t>(random());
  std::int64_t before = Compose::identity<std::int64_t>();
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t up_to = Compose()(before, values[offset_in + i]);
    expected[i] = kind == ScanKind::inclusive ? up_to : before;
    before = up_to;
  }

  const auto in = uploaded(values);
  const DeviceArray<std::int64_t> out(offset_out + n);
  const ScanVectors<std::int64_t> arrays({in.data() + offset_in, n, out.data() + offset_out});
  const auto totals = uploaded(std::vector<Word>(blocks_of_launch * words<std::int64_t>));
  const auto run = uploaded(std::vector<unsigned>{0xffffffff});  // the last tag, behind which comes 0
  const unsigned tiles = arrays.tiles(threads * vectors);
  for (unsigned first = 0; first < tiles; first += blocks_of_launch)
    launch(one_wave_kernel<std::int64_t, Compose, kind, threads, vectors>, {std::min(blocks_of_launch, tiles - first), threads, 0, true}, {}, arrays,
           first, totals.data(), run.data());

  auto got = downloaded(out, offset_out + n);
  got.erase(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(offset_out));
  INFO("n = " << n << ", offsets " << offset_in << " and " << offset_out << ", " << blocks_of_launch << " blocks in a launch");
  CHECK(got == expected);
}

}  // namespace

TEST_CASE("one_wave goes on in a further launch where the last has ended, in order, wherever the arrays begin") {
  for (const std::uint64_t seed : {0, 1}) {
    const Schedule schedule(seed);
    for (const std::size_t n : {std::size_t{tile} + 1, std::size_t{3} * tile, std::size_t{7} * tile + 5})
      for (const std::size_t offset_in : {0, 1})
        for (const std::size_t offset_out : {0, 1})
          for (const unsigned blocks : {1U, 2U, 3U}) {
            check<ScanKind::inclusive>(n, offset_in, offset_out, blocks);
            check<ScanKind::exclusive>(n, offset_in, offset_out, blocks);
          }
  }
}
