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
  explicit NcclAllreduce(const Spread<typename Operation::Device>& spread)
      : spread_(spread), local_(spread) {}

  void operator()(const Team& team) {
    local_(team);
    team.all_reduce<CombineAnswers<Operation>>(
        dtype_of<Answer<Operation>>(), local_.elements(), [&](unsigned device) {
          return backend::Exchange{local_.answers().of(device), spread_.shards[device].out};
        });
  }

 private:
  Spread<typename Operation::Device> spread_;
  LocalAnswers<Operation> local_;
};

template <class T, class Op>
using NcclAllreduceOfReduce = NcclAllreduce<Reduce<T, Op>>;
template <class T>
using NcclAllreduceOfCubes = NcclAllreduce<SumOfCubes<T>>;
template <class T>
using NcclAllreduceOfDot = NcclAllreduce<Dot<T>>;
template <class T>
using NcclAllreduceOfHistogram = NcclAllreduce<Histogram<T>>;

const RegisterOverDevices<Reduce, NcclAllreduceOfReduce, std::int32_t, std::int64_t, float, double>
    reduce{card};
const RegisterOverDevices<SumOfCubes, NcclAllreduceOfCubes, std::int32_t, std::int64_t, float,
                          double>
    sum_of_cubes{card};
const RegisterOverDevices<Dot, NcclAllreduceOfDot, std::int32_t, std::int64_t, float, double> dot{
    card};
const RegisterOverDevices<Histogram, NcclAllreduceOfHistogram, std::int32_t, std::uint8_t>
    histogram{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
