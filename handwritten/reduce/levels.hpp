// The host side that the notes' reduce rungs share. A kernel of theirs folds one slice of the input
// per block and writes one partial; the notes add the partials up on the host. To leave one value
// in device memory for every n, the kernel runs again on the partials, level by level.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"

namespace ladder {

// The elements of a slice that starts at `first` and would hold `per_block`: fewer in the last
// block, none for n = 0.
constexpr unsigned slice_length(std::size_t n, std::size_t first, unsigned per_block) {
  return n - first < per_block ? static_cast<unsigned>(n - first) : per_block;
}

// What a block hands on once its slice is folded into slice[0]: with the identity, so that an empty
// slice and a lone logical element come out right.
template <class T, class Op>
__device__ T folded(const T* slice, unsigned length) {
  return length == 0 ? Op::template identity<T>() : Op{}(Op::template identity<T>(), slice[0]);
}

// Partials of all levels but the last, and the walk over the levels.
template <class T>
class Levels {
 public:
  // per_block: elements that one block folds into one.
  Levels(std::size_t n, unsigned per_block)
      : n_(n),
        per_block_(per_block),
        odd_(blocks_for(n, per_block)),
        even_(blocks_for(blocks_for(n, per_block), per_block)) {}

  // Calls launch_level(data, n, blocks, partials) until one block is left, whose one partial is
  // *out. Data: T*, or const T*.
  template <class Data, class LaunchLevel>
  void run(Data data, T* out, LaunchLevel launch_level) const {
    std::size_t n = n_;
    T* partials = odd_.data();
    T* spare = even_.data();
    for (unsigned blocks = blocks_for(n, per_block_); blocks > 1;
         blocks = blocks_for(n, per_block_)) {
      launch_level(data, n, blocks, partials);
      data = partials;
      n = blocks;
      std::swap(partials, spare);
    }
    launch_level(data, n, 1U, out);
  }

  // The first level alone: its partials, `blocks` of them, are in device memory.
  template <class Data, class LaunchLevel>
  const T* run_first(Data data, LaunchLevel launch_level) const {
    launch_level(data, n_, blocks(), odd_.data());
    return odd_.data();
  }

  unsigned blocks() const { return blocks_for(n_, per_block_); }

 private:
  std::size_t n_;
  unsigned per_block_;
  DeviceArray<T> odd_, even_;
};

// A rung whose kernel destroys the slice it folds: it works on a private copy of the input, renewed
// before every run. per_block: elements of a slice.
template <class T, class Op, void (*kernel)(T* data, std::size_t n, T* partials), unsigned threads,
          unsigned per_block>
class InPlaceReduce {
 public:
  explicit InPlaceReduce(const ReduceArguments<T>& device)
      : device_(device), copy_(device.n), levels_(device.n, per_block) {}

  void restore(Stream stream) {
    backend::copy(copy_.data(), device_.in, device_.n * sizeof(T), stream);
  }

  void operator()(Stream stream) { levels_.run(copy_.data(), device_.out, on(stream)); }

 protected:
  static auto on(Stream stream) {
    return [stream](T* data, std::size_t n, unsigned blocks, T* partials) {
      launch(kernel, {blocks, threads}, stream, data, n, partials);
    };
  }

  ReduceArguments<T> device_;
  DeviceArray<T> copy_;
  Levels<T> levels_;
};

// The same, with the ending of notes N1 and N4 where the host wants the result: one launch, and the
// host folds the partials that it copies.
template <class T, class Op, void (*kernel)(T* data, std::size_t n, T* partials), unsigned threads,
          unsigned per_block>
class FoldedByHost : public InPlaceReduce<T, Op, kernel, threads, per_block> {
 public:
  explicit FoldedByHost(const ReduceArguments<T>& device)
      : InPlaceReduce<T, Op, kernel, threads, per_block>(device),
        partials_(this->levels_.blocks()) {}

  void to_host(Stream stream, T* out) {
    const T* partials = this->levels_.run_first(this->copy_.data(), this->on(stream));
    backend::download(partials_.data(), partials, partials_.size() * sizeof(T), stream);
    *out = std::accumulate(partials_.begin(), partials_.end(), Op::template identity<T>(), Op());
  }

 private:
  std::vector<T> partials_;
};

}  // namespace ladder
