#include "handwritten/team/local_answers.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each device answers for its own part of the data. The host fetches the answers one after "
        "the other, and combines them.",
    .follows = "gather",
    .step = "As many devices read the input at the same time.",
    .costs = "A copy to the host and a wait for each device.",
    .limited_by = "The copies to the host for small inputs; for large ones each device's memory.",
    .source = "The usual first version; the CUDA sample simpleMultiGPU does it.",
};
constexpr Card card_of_histogram = [] {
  Card its = card;
  its.follows = "by_size";
  return its;
}();

template <class Operation>
class HostGather {
 public:
  explicit HostGather(const Spread<typename Operation::Device>& spread)
      : local_(spread), fetched_(local_.elements) {}

  void to_host(const Team& team, Answer<Operation>* out) {
    local_(team);
    team.each([&](unsigned device, Stream stream) {
      backend::download(fetched_.data(), local_.answers.of(device), fetched_.size() * sizeof *out,
                        stream);
      for (std::size_t i = 0; i < fetched_.size(); ++i)
        out[i] = device == 0 ? fetched_[i] : CombineAnswers<Operation>{}(out[i], fetched_[i]);
    });
  }

 private:
  LocalAnswers<Operation> local_;
  std::vector<Answer<Operation>> fetched_;
};

const RegisterEachOverDevices<HostGather, Reduce, SumOfCubes, Dot> rungs{card};
const RegisterEachOverDevices<HostGather, Histogram> of_histogram{card_of_histogram};

}  // namespace LADDER_UNIT
}  // namespace ladder
