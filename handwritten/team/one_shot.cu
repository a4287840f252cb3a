#include "handwritten/team/local_answers.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each device combines the answers of all in one kernel, which reads them in the memory of "
        "the others.",
    .follows = "peer_copy",
    .step = "No copies: a load goes to the other device by itself.",
    .costs =
        "Two events that all devices wait for: before the kernel, and after it, since the next run "
        "writes what others still read.",
    .limited_by = "The time to pass an event on; for large inputs each device's memory.",
    .source =
        "The one-shot all-reduce of libraries for inference, such as TensorRT-LLM's custom "
        "all-reduce.",
};

template <class Operation>
class OneShot {
 public:
  explicit OneShot(const Spread<typename Operation::Device>& spread)
      : spread_(spread), local_(spread) {
    for (unsigned device = 0; device < spread.team->size(); ++device)
      answers_.of[device] = local_.answers().of(device);
  }

  void operator()(const Team& team) {
    local_(team);
    team.join();
    team.each([&](unsigned device, Stream stream) {
      combine_answers<CombineAnswers<Operation>>(answers_, team.size(), local_.elements(),
                                                 spread_.shards[device].out, stream);
    });
    team.join();
  }

 private:
  Spread<typename Operation::Device> spread_;
  LocalAnswers<Operation> local_;
  Peers<const Answer<Operation>> answers_{};
};

template <class T, class Op>
using OneShotOfReduce = OneShot<Reduce<T, Op>>;
template <class T>
using OneShotOfCubes = OneShot<SumOfCubes<T>>;
template <class T>
using OneShotOfDot = OneShot<Dot<T>>;
template <class T>
using OneShotOfHistogram = OneShot<Histogram<T>>;

const RegisterOverDevices<Reduce, OneShotOfReduce, std::int32_t, std::int64_t, float, double>
    reduce{card};
const RegisterOverDevices<SumOfCubes, OneShotOfCubes, std::int32_t, std::int64_t, float, double>
    sum_of_cubes{card};
const RegisterOverDevices<Dot, OneShotOfDot, std::int32_t, std::int64_t, float, double> dot{card};
const RegisterOverDevices<Histogram, OneShotOfHistogram, std::int32_t, std::uint8_t> histogram{
    card};

}  // namespace LADDER_UNIT
}  // namespace ladder
