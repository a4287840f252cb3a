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
      : spread_(spread),
        local_(spread),
        gathered_(*spread.team, spread.team->size() * local_.elements()) {}

  void operator()(const Team& team) {
    const std::size_t elements = local_.elements();
    local_(team);
    team.all_gather(elements * sizeof(Answer<Operation>), [&](unsigned device) {
      return backend::Exchange{local_.answers().of(device), gathered_.of(device)};
    });
    team.each([&](unsigned device, Stream stream) {
      Peers<const Answer<Operation>> here{};
      for (unsigned of = 0; of < team.size(); ++of)
        here.of[of] = gathered_.of(device) + of * elements;
      combine_answers<CombineAnswers<Operation>>(here, team.size(), elements,
                                                 spread_.shards[device].out, stream);
    });
  }

 private:
  Spread<typename Operation::Device> spread_;
  LocalAnswers<Operation> local_;
  TeamArray<Answer<Operation>> gathered_;  // on each device: the answers of all
};

template <class T, class Op>
using AllgatherFoldOfReduce = AllgatherFold<Reduce<T, Op>>;
template <class T>
using AllgatherFoldOfCubes = AllgatherFold<SumOfCubes<T>>;
template <class T>
using AllgatherFoldOfDot = AllgatherFold<Dot<T>>;

const RegisterOverDevices<Reduce, AllgatherFoldOfReduce, std::int32_t, std::int64_t, float, double>
    reduce{card};
const RegisterOverDevices<SumOfCubes, AllgatherFoldOfCubes, std::int32_t, std::int64_t, float,
                          double>
    sum_of_cubes{card};
const RegisterOverDevices<Dot, AllgatherFoldOfDot, std::int32_t, std::int64_t, float, double> dot{
    card};

}  // namespace LADDER_UNIT
}  // namespace ladder
