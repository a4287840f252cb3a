// The clock of the host backend: the wall clock around one call. The result is in the host's memory
// when the call returns.
#include "compare/worker/backend.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "compare/system.hpp"
#include "reports/numbers/statistics.hpp"

namespace ladder::clock {
namespace {

using Microseconds = std::chrono::duration<double, std::micro>;

// Reads twice as much as the caches hold, on every core, since each has a cache of its own as well.
// Reading leaves nothing behind that the timed run would have to write back. Beyond 1 GiB only part
// of a (very large) cache is replaced: a sample must not take seconds.
void evict_caches() {
  constexpr std::size_t line = 64;
  static const std::vector<unsigned char> other(
      std::min<std::uint64_t>(2 * host::last_level_cache_bytes(), std::uint64_t{1} << 30), 1);
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, other.size() / line),
      [](const tbb::blocked_range<std::size_t>& lines) {
        for (std::size_t i = lines.begin(); i < lines.end(); ++i)
          static_cast<void>(*static_cast<const volatile unsigned char*>(&other[i * line]));
      },
      tbb::static_partitioner());
}

}  // namespace

Stream stream() {
  return {};
}

void treat_cache(reports::Cache cache, unsigned) {
  if (cache == reports::Cache::cold) evict_caches();
}

void inspect() {}  // caches cannot be set aside here

std::chrono::steady_clock::time_point now() {
  return std::chrono::steady_clock::now();
}

std::optional<double> time_us(Prepared& prepared, Problem& problem, Contract, std::chrono::seconds,
                              std::vector<double>*) {
  const auto start = now();
  prepared.run_to_host(stream(), problem.host_output());
  return Microseconds(now() - start).count();
}

std::optional<bool> works_elsewhere(Prepared&, std::chrono::seconds, const std::function<bool()>&) {
  return false;  // a call is over when it returns
}

std::optional<double> back_to_back_us(Prepared&, Contract) {
  return {};  // a call has its result when it returns: there is nothing to enqueue
}

std::optional<reports::Clocks> clocks() {
  return {};
}

std::vector<reports::Overhead> overheads() {
  constexpr int samples = 1000;
  std::vector<double> empty;
  for (int i = 0; i < samples; ++i) {
    const auto start = now();
    empty.push_back(Microseconds(now() - start).count());
  }
  return {{reports::Backend::host, Contract::host_result, "no kernel", statistics::median(empty)}};
}

double resolution_us(Contract) {
  // Reading the clock shall be less than one part in a hundred of what is timed.
  static const double resolution = 100 * overheads().front().median_us;
  return resolution;
}

}  // namespace ladder::clock

namespace ladder::probe {

std::vector<Contract> contracts() {
  return {Contract::host_result};
}

bool replay(Prepared&, unsigned, unsigned, const std::function<void()>&,
            const std::function<void()>&) {
  return false;
}

void run_together(const std::vector<Instance>& instances, unsigned runs) {
  take_turns(instances, runs);
}

}  // namespace ladder::probe
