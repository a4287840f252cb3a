// Kernels of the scans at what their rungs meet only with inputs that are larger than the GPU,
// which would take long here: one_wave where an input takes several launches, each of which begins
// with what the last has left in the output; the scans by waves in many waves, and with more blocks
// than a warp reads totals at once.
#define LADDER_FEW_TYPES  // the kernels have their own types here, and nobody asks for the rungs
#define LADDER_UNIT of_one_wave
#include "handwritten/scan/one_wave.cu"
#undef LADDER_UNIT
#define LADDER_UNIT of_persistent
#include "handwritten/scan/persistent.cu"
#undef LADDER_UNIT
#define LADDER_UNIT of_staged
#include "handwritten/scan/staged.cu"
#undef LADDER_UNIT
#define LADDER_UNIT of_published_ahead
#include "handwritten/scan/published_ahead.cu"
#undef LADDER_UNIT
#define LADDER_UNIT of_waves
#include "handwritten/scan/waves.cu"

#include <initializer_list>
#include <random>
#include <vector>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;

namespace {

// A scan by Compose, whose order shows, of arrays at any distance from a boundary.
template <ScanKind kind>
class Problem {
 public:
  Problem(std::size_t n, std::size_t offset_in, std::size_t offset_out)
      : in_(uploaded(random_values(offset_in + n))),
        out_(offset_out + n),
        offset_in_(offset_in),
        offset_out_(offset_out),
        n_(n) {}

  ScanArguments<std::int64_t> arguments() const {
    return {in_.data() + offset_in_, n_, out_.data() + offset_out_};
  }

  void check() const {
    auto got = downloaded(out_, offset_out_ + n_);
    got.erase(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(offset_out_));
    std::vector<std::int64_t> expected(n_);
    std::int64_t before = Compose::identity<std::int64_t>();
    const auto values = downloaded(in_, offset_in_ + n_);
    for (std::size_t i = 0; i < n_; ++i) {
      const std::int64_t up_to = Compose()(before, values[offset_in_ + i]);
      expected[i] = kind == ScanKind::inclusive ? up_to : before;
      before = up_to;
    }
    INFO("n = " << n_ << ", offsets " << offset_in_ << " and " << offset_out_);
    CHECK(got == expected);
  }

 private:
  static std::vector<std::int64_t> random_values(std::size_t count) {
    std::mt19937_64 random(count);
    std::vector<std::int64_t> values(count);
    // an odd factor: many even ones are 0 together
    for (auto& value : values) value = static_cast<std::int64_t>(random() | std::uint64_t{1} << 32);
    return values;
  }

  DeviceArray<std::int64_t> in_, out_;
  std::size_t offset_in_, offset_out_, n_;
};

template <ScanKind kind>
void check_one_wave(std::size_t n, std::size_t offset_in, std::size_t offset_out,
                    unsigned blocks_of_launch) {
  constexpr unsigned threads = 64, vectors = 2;
  const Problem<kind> problem(n, offset_in, offset_out);
  const ScanVectors<std::int64_t> arrays(problem.arguments());
  const auto totals = uploaded(std::vector<Word>(blocks_of_launch * words<std::int64_t>));
  // the last tag, behind which comes 0
  const auto run = uploaded(std::vector<unsigned>{0xffffffff});
  const unsigned tiles = arrays.tiles(threads * vectors);
  const DeviceArray<std::int64_t> carry(tiles / blocks_of_launch + 2);
  for (unsigned first = 0; first < tiles; first += blocks_of_launch)
    launch(one_wave_kernel<std::int64_t, Compose, kind, threads, vectors>,
           {std::min(blocks_of_launch, tiles - first), threads, 0, true}, {}, first, arrays,
           totals.data(), run.data(), carry.data() + first / blocks_of_launch);
  INFO(blocks_of_launch << " blocks in a launch");
  problem.check();
}

template <ScanKind kind>
void check_waves(std::size_t n, std::size_t offset_in, std::size_t offset_out, unsigned blocks) {
  constexpr unsigned warps = 2, vectors = 1, ahead = 2, rows = 1;
  const Problem<kind> problem(n, offset_in, offset_out);
  WavesOf<std::int64_t> waves(problem.arguments(), warps * 32 * vectors, blocks);
  for (unsigned run = 0; run < 2; ++run) {
    launch(waves_kernel<std::int64_t, Compose, kind, warps, vectors, ahead, 1, rows>,
           {waves.blocks(), warps * 32 + 32,
            LoadedRing<std::int64_t, Compose, warps, vectors, ahead>::shared_bytes, true},
           {}, *waves);
    INFO("run " << run << " of at most " << blocks << " blocks");
    problem.check();
  }
}

// Of a rung with one shape.
template <ScanKind kind>
void check_shape(void (*kernel)(const Waves<std::int64_t>), unsigned threads, unsigned vectors,
                 std::size_t shared_bytes, unsigned blocks) {
  const std::size_t tile = std::size_t{threads} * vectors * elements_of_vector<std::int64_t>;
  const Problem<kind> problem(5 * tile - 5, 1, 1);
  WavesOf<std::int64_t> waves(problem.arguments(), threads * vectors, blocks);
  for (unsigned run = 0; run < 2; ++run) {
    launch(kernel, {waves.blocks(), threads, shared_bytes, true}, {}, *waves);
    INFO("run " << run << " of at most " << blocks << " blocks");
    problem.check();
  }
}

template <ScanKind kind>
void check_steps(unsigned blocks) {
  using T = std::int64_t;
  check_shape<kind>(persistent_kernel<T, Compose, kind>, of_persistent::threads,
                    of_persistent::vectors, 0, blocks);
  check_shape<kind>(staged_kernel<T, Compose, kind>, of_staged::threads, of_staged::vectors,
                    of_staged::shared_bytes<T>, blocks);
  check_shape<kind>(published_ahead_kernel<T, Compose, kind>, of_published_ahead::threads,
                    of_published_ahead::vectors, of_published_ahead::shared_bytes<T>, blocks);
}

// check(n, offset of in, offset of out, blocks), under several orders of the blocks.
template <class Check>
void everywhere(std::initializer_list<std::size_t> sizes, Check check) {
  for (const std::uint64_t seed : {0, 1}) {
    const Schedule schedule(seed);
    for (const std::size_t n : sizes)
      for (const std::size_t offset_in : {0, 1})
        for (const std::size_t offset_out : {0, 1})
          for (const unsigned blocks : {1U, 2U, 3U}) check(n, offset_in, offset_out, blocks);
  }
}

}  // namespace

TEST_CASE(
    "one_wave goes on in a further launch where the last has ended, in order, wherever the arrays "
    "begin") {
  constexpr std::size_t tile = 256;
  everywhere({tile + 1, 3 * tile, 7 * tile + 5}, [](auto... input) {
    check_one_wave<ScanKind::inclusive>(input...);
    check_one_wave<ScanKind::exclusive>(input...);
  });
}

TEST_CASE("waves scan in order, in any number of waves, wherever the arrays begin, run after run") {
  constexpr std::size_t tile = 128;
  everywhere({1, tile - 1, tile, 3 * tile, 11 * tile + 5}, [](auto... input) {
    check_waves<ScanKind::inclusive>(input...);
    check_waves<ScanKind::exclusive>(input...);
  });
}

TEST_CASE("waves of more blocks than a warp reads the totals of at once") {
  constexpr std::size_t tile = 128;
  // 32 at once; the second wave is not whole
  check_waves<ScanKind::inclusive>(45 * tile, 0, 0, 35);
  check_waves<ScanKind::exclusive>(76 * tile + 3, 1, 1, 35);
}

TEST_CASE("the steps to waves scan in order, in several waves, run after run") {
  for (const unsigned blocks : {1U, 2U}) {
    check_steps<ScanKind::inclusive>(blocks);
    check_steps<ScanKind::exclusive>(blocks);
  }
}
