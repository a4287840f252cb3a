#include "handwritten/team/local_answers.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each device copies its answer to all others, and combines what it has got in a kernel of "
        "its own.",
    .follows = "host_gather",
    .step =
        "The host takes no part: answers go from device to device, and every device has the "
        "result.",
    .costs =
        "A launch more, a copy for each pair of devices, and an event that all devices wait for.",
    .limited_by =
        "The time to begin a copy and to pass an event on; for large inputs each device's memory.",
    .source =
        "Our own; copies between devices are described in the CUDA Programming Guide, "
        "\"Multi-Device System\".",
};

template <class Operation>
class PeerCopy {
 public:
  explicit PeerCopy(const Spread<typename Operation::Device>& spread)
      : local_(spread), gathered_(*spread.team, 2 * spread.team->size() * local_.elements) {}

  // A device may still read what it got in the last run while others send for this one: so there
  // are two places, in turns.
  void operator()(const Team& team) {
    const std::size_t elements = local_.elements, half = ++runs_ % 2 * team.size() * elements;
    const auto place = [&](unsigned at, unsigned of) {
      return gathered_.of(at) + half + of * elements;
    };
    local_(team);
    team.each([&](unsigned device, Stream stream) {
      for (unsigned peer = 0; peer < team.size(); ++peer)
        backend::copy(place(peer, device), local_.answers.of(device),
                      elements * sizeof(Answer<Operation>), stream);
    });
    team.join();
    team.each([&](unsigned device, Stream stream) {
      Peers<const Answer<Operation>> here{};
      for (unsigned of = 0; of < team.size(); ++of) here.of[of] = place(device, of);
      combine_answers<CombineAnswers<Operation>>(here, team.size(), elements, local_.out(device),
                                                 stream);
    });
  }

 private:
  LocalAnswers<Operation> local_;
  TeamArray<Answer<Operation>> gathered_;  // on each device: two times the answers of all
  unsigned runs_ = 0;
};

const RegisterEachOverDevices<PeerCopy, Reduce, SumOfCubes, Dot, Histogram> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
