// What this machine's memory and cache can do at best, with all cores: the best of many passes over
// large arrays.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>

#include "compare/backend.hpp"
#include "compare/system.hpp"
#include "compare/worker/backend.hpp"

namespace ladder::probe {
namespace {

using Word = std::uint64_t;
using Range = tbb::blocked_range<std::size_t>;

std::unique_ptr<Word[], decltype(&backend::release)> array(std::size_t words) {
  return {static_cast<Word*>(backend::allocate(words * sizeof(Word))), &backend::release};
}

volatile Word sink;  // what is read goes here, so that the reading is not optimised away

// Eight sums side by side: additions waiting for one another would be slower than a cache.
void read_words(const Word* in, std::size_t count) {
  std::array<Word, 8> sums{};
  for (std::size_t i = 0; i + sums.size() <= count; i += sums.size())
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += in[i + k];
  for (const Word sum : sums) sink = sum;
}

// In turns: one equal slice for each core, the same one in every pass, so that it finds it in its
// own cache; or as TBB splits work by itself, as the library calls do.
void on_all_cores(std::size_t words, unsigned pass,
                  const std::function<void(std::size_t first, std::size_t count)>& slice) {
  const auto one = [&](const Range& range) { slice(range.begin(), range.size()); };
  if (pass % 2 == 0) tbb::parallel_for(Range(0, words), one, tbb::static_partitioner());
  else tbb::parallel_for(Range(0, words), one);
}

double best_gbps(std::uint64_t bytes, const std::function<void(unsigned pass)>& run) {
  using Seconds = std::chrono::duration<double>;
  constexpr Seconds patience{0.4};  // six measurements: under three seconds in all
  constexpr unsigned fewest_passes = 4;
  const auto now = [] { return std::chrono::steady_clock::now(); };

  Seconds best = Seconds::max();
  const auto first = now();
  for (unsigned pass = 0; pass < fewest_passes || now() - first < patience; ++pass) {
    const auto start = now();
    run(pass);
    best = std::min<Seconds>(best, now() - start);
  }
  return static_cast<double>(bytes) / best.count() / 1e9;
}

}  // namespace

const Mover* mover() {
  return nullptr;
}

Limits limits(unsigned) {
  const std::uint64_t cache = host::last_level_cache_bytes();
  Limits found{{}, clock::overheads()};

  const auto measure = [&](reports::Memory memory, std::uint64_t bytes) {
    const std::size_t words = bytes / sizeof(Word);
    const auto from = array(words), to = array(words);
    const auto add = [&](reports::Access access, std::uint64_t moved,
                         const std::function<void(std::size_t, std::size_t)>& slice) {
      found.ceilings.push_back(
          {reports::Backend::host, access, memory, moved,
           best_gbps(moved, [&](unsigned pass) { on_all_cores(words, pass, slice); })});
    };
    add(reports::Access::read, bytes,
        [&](std::size_t first, std::size_t count) { read_words(from.get() + first, count); });
    add(reports::Access::write, bytes, [&](std::size_t first, std::size_t count) {
      std::memset(to.get() + first, 1, count * sizeof(Word));
    });
    add(reports::Access::copy, 2 * bytes, [&](std::size_t first, std::size_t count) {
      std::memcpy(to.get() + first, from.get() + first, count * sizeof(Word));
    });
  };

  // A claim about memory needs four times what the caches hold. Where that is more than 2 GiB
  // (servers with very large caches) or than an eighth of the free memory, there is no ceiling for
  // memory rather than a flattering one.
  if (4 * cache <= std::min(std::uint64_t{2} << 30, host::available_memory() / 8))
    measure(reports::Memory::dram, std::max(4 * cache, std::uint64_t{128} << 20));
  measure(reports::Memory::cache, cache / 4);  // "from" and "to" of the copy together fill half
  return found;
}

}  // namespace ladder::probe
