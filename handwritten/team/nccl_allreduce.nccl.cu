#include "handwritten/team/local_answers.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each device answers for its own part of the data. One call of NCCL combines the answers, "
        "and every device has the result.",
    .follows = "host_gather",
    .step =
        "The host takes no part: the library moves the answers and combines them, in the streams "
        "of the devices.",
    .costs =
        "A launch more on each device, whose blocks wait for those of the others. NCCL has sum, "
        "product, min and max, and no other operator.",
    .limited_by = "The latency of the library's exchange; for large inputs each device's memory.",
    .source = "NVIDIA NCCL, ncclAllReduce, without NVLink multicast.",
    .collective = true,
};

template <class Operation>
requires CombinesDevices<CombineAnswers<Operation>>
class NcclAllreduce {
 public:
  explicit NcclAllreduce(const Spread<typename Operation::Device>& spread) : local_(spread) {}

  void operator()(const Team& team) {
    local_(team);
    team.all_reduce<CombineAnswers<Operation>>(
        dtype_of<Answer<Operation>>(), local_.elements, [&](unsigned device) {
          return backend::Exchange{local_.answers.of(device), local_.out(device)};
        });
  }

 private:
  LocalAnswers<Operation> local_;
};

const RegisterEachOverDevices<NcclAllreduce, Reduce, SumOfCubes, Dot, Histogram> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
