#include <optional>

#include "handwritten/histogram/counted_words.hpp"
#include "handwritten/histogram/shared_atomics.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "packed with one copy of each counter, in shapes that go by the size. For more bins, two "
        "launches at the same time.",
    .follows = "packed",
    .step =
        "No copies: where lanes of a warp count in one bin, an H200 adds 1 for all of them at "
        "once, and copies only have to be cleared and added up. Large blocks add fewer counters. "
        "Above 1,024 bins a launch sets the result to 0 while the other one counts, on sm_90 and "
        "later, and blocks add only what is not 0.",
    .costs = "Ten kernels to compile.",
    .limited_by =
        "Reading the input. For small inputs, the launch, and a chain of atomic operations.",
    .source = "Our own.",
};

// On an H200, cold. One block needs no other to add to.
constexpr std::size_t elements_of_one_block = 4096;
constexpr unsigned bins_of_small_blocks = 2 << 10;
// More bins than this are mostly 0 in a block, and their words are a part of the bytes that move.
constexpr unsigned bins_of_words = 1 << 10;
// Counters of a block, up to half of a multiprocessor's shared memory; where no block can have as
// many, 64 KiB.
constexpr unsigned usual_counters = 16 * 1024, counters_for_small_inputs = 22 * 1024,
                   counters_for_many_bins = 32 * 1024;

template <class T>
class BySize {
 public:
  explicit BySize(const typename Histogram<T>::Device& device)
      : device_(device), head_(elements_before_boundary(device.in, device.n)) {
    const std::size_t bytes = device.n * sizeof(T), multiprocessors = backend::multiprocessors();
    const bool is_small = device.n <= elements_of_one_block;
    if (device.bins <= usual_counters) {
      if (is_small) use<512, 2>(usual_counters);
      else if (bytes <= bytes_for_512_threads * multiprocessors &&
               device.bins > bins_of_small_blocks)
        small_ = SharedAtomics<T>{device};
      else
        with_shape_of_counts(bytes, [&]<class Shape>(Shape) {
          use<Shape::threads, Shape::vectors, Shape::once>(usual_counters);
        });
    } else if (is_small) {
      small_ = SharedAtomics<T>{device};
    } else if (!use<1024, 4>(bytes <= bytes_for_one_load * multiprocessors
                                 ? counters_for_small_inputs
                                 : counters_for_many_bins)) {
      use<1024, 4>(usual_counters);
    }
  }

  void operator()(Stream stream) {
    if (small_) return (*small_)(stream);
    if (in_words_)
      return launch(in_words_, ranges_->shape(), stream, device_.in, device_.n, head_, *ranges_,
                    words_.data(), device_.out);
    if (ranges_->groups > 1) clear(device_.out, device_.bins, stream);
    LaunchShape shape = ranges_->shape();
    shape.early = ranges_->groups > 1;  // after the launch that clears
    launch(kernel_, shape, stream, device_.in, device_.n, head_, *ranges_, device_.out);
  }

 private:
  template <unsigned threads, unsigned unroll, bool once = false>
  bool use(unsigned most_counters) {
    kernel_ = count_ranges_kernel<T, threads, unroll, once>;
    ranges_.emplace(device_.n, device_.bins, most_counters, 1, threads,
                    std::size_t{threads} * elements_of_vector<T> * unroll);
    if (device_.bins <= bins_of_words) {
      in_words_ = count_in_words_kernel<T, threads, unroll, once>;
      words_ = zeros<Word>(words_for(device_.bins));
    }
    return resident_blocks(kernel_, threads, ranges_->shared_bytes) > 0;
  }

  typename Histogram<T>::Device device_;
  unsigned head_;
  std::optional<SharedAtomics<T>> small_;
  void (*kernel_)(const T* in, std::size_t n, unsigned head, const Ranges ranges,
                  std::int32_t* counts) = nullptr;
  // in its place, for a few bins
  void (*in_words_)(const T* in, std::size_t n, unsigned head, const Ranges ranges, Word* words,
                    std::int32_t* counts) = nullptr;
  std::optional<Ranges> ranges_;
  DeviceArray<Word> words_;
};

const Register<Histogram, BySize, std::int32_t> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
