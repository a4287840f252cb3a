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
  explicit OneShot(const Spread<typename Operation::Device>& spread) : local_(spread) {
    for (unsigned device = 0; device < spread.team->size(); ++device)
      answers_.of[device] = local_.answers.of(device);
  }

  void operator()(const Team& team) {
    local_(team);
    team.join();
    team.each([&](unsigned device, Stream stream) {
      combine_answers<CombineAnswers<Operation>>(answers_, team.size(), local_.elements,
                                                 local_.out(device), stream);
    });
    team.join();
  }

 private:
  LocalAnswers<Operation> local_;
  Peers<const Answer<Operation>> answers_{};
};

const RegisterEachOverDevices<OneShot, Reduce, SumOfCubes, Dot, Histogram> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
