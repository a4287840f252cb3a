// The shapes of a grid that reads its input once and finishes in the same launch, by the bytes that
// it reads.
//
// On an H200, cold: up to 16 KiB one block is fastest, which waits for no one. Up to 32 MiB small
// blocks with two loads in each thread are, on as many multiprocessors as there is work for; then
// two blocks of 1,024 threads on each, with four loads. From 200 MiB eight times as many blocks
// are: a multiprocessor that is done early takes another one.
#pragma once

#include "handwritten/launches.hpp"
#include "handwritten/stream.hpp"
#include "handwritten/words.hpp"

namespace ladder {

constexpr std::size_t bytes_for_one_block = 16 << 10;
// For each multiprocessor:
constexpr std::size_t bytes_that_push_others_out = 96 << 10, bytes_that_stay_anyway = 192 << 10;
constexpr std::size_t bytes_in_cache = 256 << 10;
constexpr std::size_t bytes_for_many_blocks = 1536 << 10;

// Whether a kernel that reads and writes so many bytes should mark what it reads as needed once.
// Then the lines that others have left in the cache stay there, and need not be written to memory
// meanwhile. On an H200, the sum of 64 MiB takes 22.5 us in place of 25.5, and that of 16 MiB 9.8
// us in place of 10.1; that of 8 MiB gains nothing. 16 MiB are still in the cache for the next run.
// 32 MiB are not: 20 sums in a row take 8.2 us each in place of 6.0. Of 1 GiB, the sum takes 257 us
// in place of 244. The output of a scan fills the cache as well: a scan of 32 MiB takes 21.9 us in
// place of 22.8.
inline bool are_needed_once(std::size_t read, std::size_t written = 0) {
  const auto are_more_than = [](std::size_t bytes, std::size_t of_multiprocessor) {
    return bytes > of_multiprocessor * backend::multiprocessors();
  };
  if (are_more_than(read + written, bytes_for_many_blocks)) return false;
  return are_more_than(read + written, bytes_in_cache) ||
         (are_more_than(read, bytes_that_push_others_out) &&
          !are_more_than(read, bytes_that_stay_anyway));
}

// A kernel is compiled for each shape that it may be launched with. `blocks`: on a multiprocessor.
// Fewer leave each thread more registers; 0 stands for as many as it holds threads for. That number
// differs between architectures, so it must not be in a kernel's name: host and device would not
// agree.
template <unsigned threads_of_block, unsigned vectors_of_thread, bool is_needed_once = false,
          unsigned blocks_of_multiprocessor = 0>
struct Shape {
  static constexpr unsigned threads = threads_of_block, vectors = vectors_of_thread;
  static constexpr unsigned blocks =
      blocks_of_multiprocessor > 0 ? blocks_of_multiprocessor : threads_of_multiprocessor / threads;
  static constexpr bool once = is_needed_once;
};

template <class Kernel>
struct Shaped {
  Kernel kernel;
  unsigned threads, blocks;

  LaunchShape launch() const { return {.grid = blocks, .block = threads, .early = true}; }
};

// `kernel_of` gives the kernel of a Shape, whose `vectors` are the loads in flight; it begins in
// turn. Each thread has a vector of each array to read. There are `arrays` of so many bytes. A
// kernel whose values take many registers has other shapes for arrays that do not fit the cache.
template <class Large = Shape<1024, 4, true>, class Largest = Shape<1024, 4>, class KernelOf>
auto shape_for_stream(std::size_t bytes, unsigned arrays, KernelOf kernel_of) {
  const std::size_t in_all = bytes * arrays, multiprocessors = backend::multiprocessors();
  const unsigned turns = in_all > bytes_for_many_blocks * multiprocessors ? 8 : 1;
  const auto with = [&]<class Chosen>(Chosen shape) {
    const unsigned enough =
        bytes <= bytes_for_one_block ? 1 : blocks_for(bytes, Chosen::threads * 16);
    const unsigned most = Chosen::blocks * backend::multiprocessors() * turns;
    return Shaped<decltype(kernel_of(shape))>{kernel_of(shape), Chosen::threads,
                                              enough < most ? enough : most};
  };
  if (in_all <= bytes_in_cache * multiprocessors)
    return are_needed_once(in_all) ? with(Shape<512, 2, true>()) : with(Shape<512, 2>());
  return are_needed_once(in_all) ? with(Large()) : with(Largest());
}

// The host side of a rung with one such launch, on one array: `words_of_block` words for each block
// are 0 before and after it.
template <class T, class Large = Shape<1024, 4, true>, class Largest = Shape<1024, 4>>
class ArrayInOneLaunch {
 public:
  template <class Device, class KernelOf>
  ArrayInOneLaunch(const Device& device, KernelOf kernel_of, std::size_t words_of_block)
      : in_(device.in),
        n_(device.n),
        head_(elements_before_boundary(device.in, device.n)),
        shape_(shape_for_stream<Large, Largest>(device.n * sizeof(T), 1, kernel_of)),
        words_(zeros<Word>(shape_.blocks * words_of_block)) {}

  void operator()(Stream stream, Accumulator<T>* out) {
    launch(shape_.kernel, shape_.launch(), stream, in_, n_, head_, words_.data(), out);
  }

 private:
  const T* in_;
  std::size_t n_;
  unsigned head_;
  Shaped<void (*)(const T* in, std::size_t n, unsigned head, Word* words, Accumulator<T>* out)>
      shape_;
  DeviceArray<Word> words_;
};

}  // namespace ladder
