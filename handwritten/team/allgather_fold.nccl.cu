#include "handwritten/team/local_answers.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "One call of NCCL gives the answers of all to each device, which combines them in a kernel "
        "of its own.",
    .follows = "nccl_allreduce",
    .step =
        "The devices combine what the library only moves. So any operator will do, and the order "
        "is that of the devices.",
    .costs = "Another launch, and each device combines all answers.",
    .limited_by = "The latency of the library's exchange; for large inputs each device's memory.",
    .source =
        "NVIDIA NCCL, ncclAllGather; cudax, the experimental part of CCCL, reduces in this way "
        "where NCCL lacks the operator.",
    .collective = true,
};

template <class Operation>
class AllgatherFold {
 public:
  explicit AllgatherFold(const Spread<typename Operation::Device>& spread)
      : local_(spread), gathered_(*spread.team, spread.team->size() * local_.elements) {}

  void operator()(const Team& team) {
    const std::size_t elements = local_.elements;
    local_(team);
    team.all_gather(elements * sizeof(Answer<Operation>), [&](unsigned device) {
      return backend::Exchange{local_.answers.of(device), gathered_.of(device)};
    });
    team.each([&](unsigned device, Stream stream) {
      Peers<const Answer<Operation>> here{};
      for (unsigned of = 0; of < team.size(); ++of)
        here.of[of] = gathered_.of(device) + of * elements;
      combine_answers<CombineAnswers<Operation>>(here, team.size(), elements, local_.out(device),
                                                 stream);
    });
  }

 private:
  LocalAnswers<Operation> local_;
  TeamArray<Answer<Operation>> gathered_;  // on each device: the answers of all
};

const RegisterEachOverDevices<AllgatherFold, Reduce, SumOfCubes, Dot> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
