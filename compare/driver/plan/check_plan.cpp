#include "compare/driver/plan/check_plan.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compare/driver/plan/all_pairs.hpp"
#include "compare/driver/terminal/lists.hpp"
#include "reports/model/element_types.hpp"
#include "reports/text/lists.hpp"

namespace ladder {
namespace {

using protocol::Listing;
using Kind = protocol::OperationListing;

constexpr std::uint64_t small = 1'025, whole_tiles = 4'095, medium = 10'007, large = 40'009;
// Nothing; one thread's work; a power of two and one more; one less than whole tiles; several
// blocks of every rung, ragged at the end.
const std::vector<std::uint64_t> usual_sizes{0, 1, 1'024, small, whole_tiles, medium, large},
    quick_sizes{1, small, medium};
// More bins than a block has counters for: sorted values at the medium size are all even numbers,
// and so the first past 2^k counters too.
constexpr unsigned few_bins = 37, many_bins = 1'021, too_many_bins = 2 * medium;

// GPUs: of one size a grid holds small inputs at once, of the others loops over a grid go round, or
// a grid has many blocks.
constexpr unsigned usual_gpu = 8, small_gpu = 2, odd_gpu = 3, large_gpu = 132;

std::vector<Kind> kinds_of(const Listing& rung, const Backend& backend,
                           const Selection& selection) {
  return reports::only(backend.kinds, [&](const Kind& kind) {
    const bool is_its_own = kind.operation == rung.operation && chosen(rung.dtypes, kind.dtype) &&
                            chosen(rung.operators, kind.op);
    return is_its_own && chosen(selection.dtypes, kind.dtype) &&
           chosen(selection.operators, kind.op);
  });
}

// Takes out the kinds whose elements are converted before they are accumulated, and returns them.
// Where there are no others, it takes out none.
std::vector<Kind> take_converted(std::vector<Kind>& kinds) {
  const auto is_converted = [](const Kind& kind) {
    return !reports::is_accumulated_as_it_is(kind.dtype);
  };
  auto converted = reports::only(kinds, is_converted);
  if (converted.size() == kinds.size()) return {};
  std::erase_if(kinds, is_converted);
  return converted;
}

// i32 and the operation's default operator, where there is a choice.
Kind usual_of(std::vector<Kind> kinds) {
  std::erase_if(kinds, [op = kinds.front().op](const Kind& kind) { return kind.op != op; });
  const auto i32 = std::ranges::find(kinds, "i32", &Kind::dtype);
  return i32 == kinds.end() ? kinds.front() : *i32;
}

struct Values {
  std::string distribution;
  unsigned variant = 0;

  bool operator==(const Values&) const = default;
};

// Every variant.
std::vector<Values> values_of(const std::vector<std::string>& distributions) {
  std::vector<Values> all;
  for (const std::string& distribution : distributions)
    for (unsigned variant = 0; variant < variants_of(distribution); ++variant)
      all.push_back({distribution, variant});
  return all;
}

// The hot element is number seed % n: the last and then the first, or the last and the first of two
// warps.
std::uint64_t seed_of(const Values& values, std::uint64_t n, std::uint64_t seed) {
  if (values.distribution != "one_hot") return seed + std::uint64_t{2} * values.variant;
  if (values.variant > 0) return seed + 30;
  return n < 2 ? seed : seed + n - 2;
}

CheckRun run_of(const Kind& kind, std::uint64_t n, const Values& values, std::uint64_t seed,
                unsigned devices, unsigned multiprocessors) {
  return {.problem = {.operation = kind.operation,
                      .op = kind.op,
                      .dtype = kind.dtype,
                      .n = n,
                      .distribution = values.distribution,
                      .bins = kind.usual_bins,
                      .seed = seed_of(values, n, seed),
                      .devices = devices},
          .multiprocessors = multiprocessors,
          .in_few_orders = multiprocessors != usual_gpu};
}

// The numbers of devices: one, two, and three, into which no usual size has equal parts.
std::vector<unsigned> devices_for(const Listing& rung, const Backend& backend,
                                  const Selection& selection) {
  if (!rung.over_devices) return {0};
  if (selection.devices > 0) return {selection.devices};
  std::vector<unsigned> some{1, 2, 3};
  std::erase_if(some, [&](unsigned devices) { return devices > backend.devices; });
  return some;
}

// What was asked for, each with each; what was left out is as usual. Over devices also an element
// for all but one.
std::vector<CheckRun> product(std::vector<Kind> kinds, const Selection& selection, bool is_quick,
                              unsigned devices) {
  const Kind usual = usual_of(kinds);
  if (selection.operators.empty())
    std::erase_if(kinds, [&](const Kind& kind) { return kind.op != usual.op; });
  if (selection.dtypes.empty())
    std::erase_if(kinds, [&](const Kind& kind) { return kind.dtype != usual.dtype; });
  std::vector<std::uint64_t> sizes = or_else(selection.sizes, is_quick ? quick_sizes : usual_sizes);
  if (selection.sizes.empty() && devices > 2) sizes.push_back(devices - 1);
  std::vector<CheckRun> runs;
  for (const Kind& kind : kinds)
    for (const Values& values :
         or_else(values_of(selection.distributions), {{kind.distributions.front()}}))
      for (const unsigned bins : kind.usual_bins == 0
                                     ? std::vector{0U}
                                     : or_else(selection.bins, std::vector{kind.usual_bins}))
        for (const unsigned offset : or_else(selection.offsets, std::vector{0U}))
          for (const std::uint64_t n : sizes) {
            if (!has(kind.distributions, values.distribution) || bins > kind.most_bins) continue;
            CheckRun run = run_of(kind, n, values, selection.seed, devices, usual_gpu);
            run.problem.bins = bins;
            run.problem.offset = offset;
            run.in_few_orders = selection.sizes.empty() && n != small && n != medium && n > 1;
            runs.push_back(run);
          }
  return runs;
}

// Over devices, where a run takes many times as long, only types with the usual operator and
// operators with the usual type.
bool is_varied(const Kind& kind, const Kind& usual, unsigned devices) {
  return devices == 0 || kind.op == usual.op || kind.dtype == usual.dtype;
}

// Every type and operator, every kind of values, every size, number of bins, displacement and GPU:
// each two of them meet. A type and operator meets every kind of its values, so a mistake in one
// operator of one type with one kind of values has a run that shows it.
std::vector<CheckRun> pairs(std::vector<Kind> kinds, std::uint64_t seed, unsigned devices) {
  std::erase_if(kinds, [&, usual = usual_of(kinds)](const Kind& kind) {
    return !is_varied(kind, usual, devices);
  });
  // The cheapest first: less than most blocks, and more.
  static constexpr std::uint64_t sizes[] = {129, 257};
  static constexpr unsigned offsets[] = {0, 1, 2, 3};
  std::vector<unsigned> gpus{small_gpu};
  if (devices == 0) gpus.push_back(odd_gpu);
  std::vector<Values> values;
  for (const Kind& kind : kinds)
    for (const Values& one : values_of(kind.distributions))
      if (!has(values, one)) values.push_back(one);
  std::vector<unsigned> bins{0};  // as usual
  for (const unsigned other : {few_bins, many_bins})
    if (std::ranges::any_of(kinds, [&](const Kind& kind) { return other <= kind.most_bins; }))
      bins.push_back(other);

  enum Factor : unsigned { kind_of_run, values_of_run, n, bins_of_run, offset, gpu };
  const auto fit = [&](Level a, Level b) {
    if (a.factor > b.factor) std::swap(a, b);
    if (a.factor != kind_of_run) return true;
    const Kind& kind = kinds[a.value];
    if (b.factor == values_of_run) return has(kind.distributions, values[b.value].distribution);
    return b.factor != bins_of_run || bins[b.value] <= kind.most_bins;
  };
  const auto count = [](const auto& all) { return static_cast<unsigned>(std::size(all)); };
  std::vector<CheckRun> runs;
  for (const Row& row : all_pairs(
           {count(kinds), count(values), count(sizes), count(bins), count(offsets), count(gpus)},
           fit)) {
    CheckRun run = run_of(kinds[row[kind_of_run]], sizes[row[n]], values[row[values_of_run]], seed,
                          devices, gpus[row[gpu]]);
    if (row[bins_of_run] > 0) run.problem.bins = bins[row[bins_of_run]];
    run.problem.offset = offsets[row[offset]];
    run.in_few_orders = true;
    runs.push_back(run);
  }
  return runs;
}

// What takes another size than the pairs have: nothing and one element of every type and operator
// (product() has the usual ones), several blocks of every type, loops over a grid that go round
// more often, more bins than a block has counters for (devices exchange them whatever the values
// are).
std::vector<CheckRun> further(const std::vector<Kind>& kinds, std::uint64_t seed,
                              unsigned devices) {
  const Kind usual = usual_of(kinds);
  std::vector<CheckRun> runs;
  const auto add = [&](const Kind& kind, std::uint64_t n,
                       unsigned multiprocessors = small_gpu) -> ProblemSpec& {
    return runs
        .emplace_back(run_of(kind, n, {kind.distributions.front()}, seed, devices, multiprocessors))
        .problem;
  };
  for (const Kind& kind : kinds) {
    const bool is_compose = kind.op == "compose";
    if (kind.op != usual.op || kind.dtype != usual.dtype)
      if (is_compose || is_varied(kind, usual, devices))
        for (const std::uint64_t n : {0, 1}) add(kind, n);
    if (kind.op == usual.op && kind.dtype != usual.dtype) add(kind, small);
    if (is_compose) add(kind, medium);
  }
  if (too_many_bins <= usual.most_bins) {
    if (devices == 0) add(usual, medium).bins = too_many_bins;
    ProblemSpec& sorted = add(usual, medium);
    sorted.bins = too_many_bins;
    sorted.distribution = "sorted";
  }
  for (const std::uint64_t n : {std::uint64_t{1}, medium}) add(usual, n).offset = 1;
  const auto wide = std::ranges::find_if(
      kinds, [&](const Kind& kind) { return kind.op == usual.op && kind.dtype.ends_with("64"); });
  const bool has_wide = wide != kinds.end();
  add(has_wide ? *wide : usual, large).offset = has_wide ? 1 : 0;
  if (has_wide) add(*wide, large, large_gpu);
  return runs;
}

// A conversion changes the size of an element, and no other access: one displaced run of each type
// and operator is enough.
std::vector<CheckRun> of_converted(const std::vector<Kind>& kinds, std::uint64_t seed,
                                   unsigned devices) {
  std::vector<CheckRun> runs;
  for (const Kind& kind : kinds) {
    CheckRun& run = runs.emplace_back(
        run_of(kind, 257, {kind.distributions.front()}, seed, devices, small_gpu));
    run.problem.offset = 1;
  }
  return runs;
}

bool leaves_choice(const Selection& s) {
  return s.operators.empty() && s.dtypes.empty() && s.sizes.empty() && s.distributions.empty() &&
         s.bins.empty() && s.offsets.empty();
}

}  // namespace

// Of these a seed decides which infinity or NaN there is, or which element is hot.
unsigned variants_of(const std::string& distribution) {
  return distribution == "specials" ? 3 : distribution == "one_hot" ? 2 : 1;
}

std::vector<CheckRun> runs_of(const Listing& rung, const Backend& backend,
                              const Selection& selection, bool is_quick) {
  auto kinds = kinds_of(rung, backend, selection);
  const auto converted = selection.dtypes.empty() ? take_converted(kinds) : decltype(kinds)();
  std::vector<CheckRun> runs;
  if (kinds.empty()) return runs;
  const auto add = [&](std::vector<CheckRun> more) {
    std::ranges::move(more, std::back_inserter(runs));
  };
  const std::vector<unsigned> devices = devices_for(rung, backend, selection);
  const unsigned most = devices.back();
  for (const unsigned count : devices) add(product(kinds, selection, is_quick, count));
  const bool varies = !is_quick && leaves_choice(selection);
  if (selection.sizes.empty()) {
    // Over fewer devices it shows nothing else, and over the most further() has it too.
    std::erase_if(runs, [&](const CheckRun& run) {
      const unsigned count = run.problem.devices;
      return run.problem.n == large && (count != most || (count > 0 && varies));
    });
    for (CheckRun& run : runs)
      if (run.problem.devices != most) run.in_few_orders = true;
  }
  if (runs.empty() || !varies) return runs;
  add(further(kinds, selection.seed, most));
  add(pairs(kinds, selection.seed, most));
  add(of_converted(converted, selection.seed, most));
  return runs;
}

}  // namespace ladder
