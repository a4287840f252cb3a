#include "reports/notes/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "reports/columns.hpp"
#include "reports/gpu_times.hpp"
#include "reports/ladder.hpp"
#include "reports/tables.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

const Figure lanes{"lanes of 32 active in a memory request", counter<&Counters::active_lanes>};
const Figure requests{"memory requests", memory_requests};
const Figure barriers{"barriers per block", barriers_per_block};
const Figure sectors{"sectors per load of a warp", sectors_per_load};
const Figure steps{"steps in a row", counter<&Counters::steps>};
const Figure work{"operations on elements", counter<&Counters::work>};
const Figure atomics{"atomic operations", counter<&Counters::atomics>};
const Figure passes{"passes through shared memory for each request", wavefronts_per_shared_request};
const Figure traffic{"bytes of global memory, over the least there can be", traffic_over_minimum};

Ruling first_is_less(const Figures& f) {
  return if_true(f[0] < f[1]);
}

Ruling first_is_more(const Figures& f) {
  return if_true(f[0] > f[1]);
}

// The first step gains, and the second keeps it.
Ruling of_two_steps(bool gains, bool keeps) {
  return gains && keeps ? Ruling::holds : gains || keeps ? Ruling::partly : Ruling::does_not_hold;
}

Finding packing(const Cells& cells) {
  const Rungs rungs{"neighbored", "neighbored_less", "interleaved"};
  const auto more_lanes = [](const Figures& f) { return of_two_steps(f[1] > f[0], f[2] > f[0]); };
  const auto fewer_requests = [](const Figures& f) { return of_two_steps(f[1] < f[0], f[2] < f[0]); };
  return weighed({counted(cells, n1, rungs, lanes, more_lanes), counted(cells, n1, rungs, requests, fewer_requests),
                  told(faster(cells, n1, "neighbored_less", "neighbored")), told(faster(cells, n1, "interleaved", "neighbored_less"))});
}

Finding two_slices(const Cells& cells) {
  return faster(cells, n1, "unrolling2", "interleaved");
}

// Both sums are right, or they were not compared. In time the last warp cannot be told from the eight slices that come with it.
Finding last_warp(const Cells& cells) {
  return weighed(
      {counted(cells, n1, {"unroll_warps8", "interleaved"}, barriers, first_is_less), told(faster(cells, n1, "unroll_warps8", "unrolling2"))});
}

Finding complete_unrolling(const Cells& cells) {
  return weighed({faster(cells, n1, "complete_unroll_warps8", "unroll_warps8"),
                  told(counted(cells, n1, {"complete_unroll_warps8", "unroll_warps8"}, barriers, first_is_less))});
}

Finding access_pattern(const Cells& cells) {
  return weighed(
      {by_factor(cells, n2, "strided", "chunked", 6'489'302.0 / 894'297), told(counted(cells, n2, {"chunked", "strided"}, sectors, first_is_more))});
}

Finding three_times_the_traffic(const Cells& cells) {
  const auto about_three = [](const Figures& f) {
    const bool is_three = f[0] > 2.9 * f[1] && f[0] < 3.1 * f[1];
    return f[0] > f[1] && !is_three ? Ruling::partly : if_true(is_three);
  };
  return weighed({counted(cells, n3_reduce, {"global_two_pass", "shared_two_pass"}, traffic, about_three),
                  told(faster(cells, n3_reduce, "shared_two_pass", "global_two_pass"))});
}

Finding steps_and_work(const Cells& cells) {
  const Rungs rungs{"hillis_steele", "blelloch"};
  return weighed_only_together({counted(cells, n3_scan, rungs, steps, first_is_less), counted(cells, n3_scan, rungs, work, first_is_more)});
}

Finding few_and_many_elements(const Cells& cells) {
  const auto at = [&](std::uint64_t n, std::string_view rung, std::string_view than) {
    Cells of_size;
    std::ranges::copy_if(cells, std::back_inserter(of_size), [n](const Cell& c) { return c.input.n == n; });
    Finding finding = faster(of_size, n3_scan, rung, than);
    if (finding.where.empty()) finding.what += fmt::format(" at n = {}", elements(n));
    return finding;
  };
  return weighed_only_together({at(few_scanned, "hillis_steele", "blelloch"), at(many_scanned, "blelloch", "hillis_steele")});
}

Finding lost_updates(const Cells& cells) {
  const auto is_racy = [](const Cell& c) { return n3_histogram.is_of(c.input.operation) && c.who.provider == "handwritten" && c.who.rung == "racy"; };
  std::vector<const Cell*> answered;
  for (const Cell& c : cells)
    if (is_racy(c) && (c.passed() || (c.verdict() == Verdict::expected_wrong && c.lost_counts()))) answered.push_back(&c);
  // A GPU before the emulator, and of several inputs the longest.
  const auto most_telling =
      std::ranges::min_element(answered, std::less{}, [](const Cell* c) { return std::tuple(c->how.backend, ~c->input.n, c->key()); });
  if (most_telling == answered.end()) return missing("answer", {"racy"});
  const Cell& cell = **most_telling;
  if (cell.passed()) return {Ruling::does_not_hold, where(cell.key()), "every element was counted"};
  return {if_true(*cell.lost_counts() > 0), where(cell.key()), "lost " + column("lost counts").text(cell) + " of the elements"};
}

// The same elements into few bins and into many: of the note's input with most numbers of bins, each number against the next. In part, where fewer
// bins are slower on the whole, and not at each step.
Finding few_bins(const Cells& cells) {
  constexpr std::string_view rung = "global_atomics";
  std::map<CellKey, std::map<unsigned, Cell>> inputs;
  for (const Cell& c : cells) {
    if (!c.input.bins) continue;
    const Cells one = together({c}, Source::times, n3_histogram, {rung});
    if (one.empty()) continue;
    CellKey input = c.key();
    input.input.bins.reset();
    inputs[input].emplace(*c.input.bins, c);
  }
  const auto most = std::ranges::max_element(
      inputs, {}, [](const auto& input) { return std::pair(input.first.input.distribution == n3_histogram.distribution, input.second.size()); });
  if (most == inputs.end() || most->second.size() < 2)
    return {{}, "", fmt::format("no GPU times of {} with few and with many bins in this run", code(rung))};
  const auto& [input, by_bins] = *most;
  std::vector<std::string> parts;
  bool reversed = false;
  const Cell* fewer = nullptr;
  for (const auto& [bins, cell] : by_bins) {
    parts.push_back(fmt::format("{} with {}", column("time (95 % interval)").text(cell), counted(bins, "bin", "bins")));
    reversed |= fewer != nullptr && speedup(cell, *fewer).ci95_high < 1;
    fewer = &cell;
  }
  const Ratio on_the_whole = speedup(by_bins.rbegin()->second, by_bins.begin()->second);
  const Ruling ruling = on_the_whole.ci95_low <= 1 ? (on_the_whole.ci95_high < 1 ? Ruling::does_not_hold : Ruling::not_shown)
                        : reversed                 ? Ruling::partly
                                                   : Ruling::holds;
  return {ruling, where(input), fmt::format("{}: {}; most bins against fewest: {}", code(rung), joined(parts), ratio_text(on_the_whole))};
}

Finding no_atomics(const Cells& cells) {
  return counted(cells, n3_histogram, {"private_then_reduce", "global_atomics"}, atomics, [](const Figures& f) { return if_true(f[0] == 0); });
}

// Both move the same bytes, or the throughput of memory would not follow from the time.
Finding throughput(const Cells& cells) {
  const Rungs rungs{"unrolling2", "interleaved"};
  return weighed({faster(cells, n4, rungs[0], rungs[1]), told(counted(cells, n4, rungs, traffic, first_is_less)),
                  told(counted(cells, n4, rungs, lanes, first_is_more))});
}

Finding tree(const Cells& cells) {
  return faster(cells, n5, "dot1_tree", "dot0_serial");
}

// Where the sums cancel, nothing of a rounding error is hidden. An input that both get right to the last bit tells nothing.
Finding precision(const Cells& cells) {
  const Rungs rungs{"dot2_kahan", "dot1_tree"};
  const Experiment cancelling{n5.operation, n5.dtype, n5.n, "ill_conditioned"};
  Cells pair = together(cells, Source::errors, cancelling, rungs);
  if (pair.empty()) return missing("errors", rungs);
  const double with = *pair[0].error()->ulp_max, without = *pair[1].error()->ulp_max;
  const std::string what =
      fmt::format("error in units in the last place: {} {}, {} {}", code(rungs[0]), shortest(with), code(rungs[1]), shortest(without));
  if (with == 0 && without == 0) return {{}, where(pair[0].key()), what + ", which tells nothing"};
  return {if_true(with < without), where(pair[0].key()), what};
}

Finding cost_of_kahan(const Cells& cells) {
  return by_factor(cells, n5, "dot2_kahan", "dot1_tree", 114'682.144 / 120'819.072);
}

// One pass for each request leaves nothing to remove.
Finding bank_conflicts(const Cells& cells) {
  const auto had_and_lost_some = [](const Figures& f) { return if_true(f[0] > 1 && f[1] < f[0]); };
  return weighed({counted(cells, n5, {"dot2_kahan", "dot3_conflict_free"}, passes, had_and_lost_some),
                  told(faster(cells, n5, "dot3_conflict_free", "dot2_kahan"))});
}

Finding written_out(const Cells& cells) {
  return faster(cells, n5, "dot4_unrolled", "dot3_conflict_free");
}

Finding below_a_warp(const Cells& cells) {
  return weighed(
      {counted(cells, n5, {"dot5_last_warp", "dot4_unrolled"}, barriers, first_is_less), told(faster(cells, n5, "dot5_last_warp", "dot4_unrolled"))});
}

const std::array all_claims{
    Claim{"N1a", n1, "Packing the active threads into the lowest warps removes divergence from all but the last steps.", packing},
    Claim{"N1b", n1, "A block that sums two slices is faster, although half as many blocks run.", two_slices},
    Claim{"N1c", n1, "The last warp needs no barriers of the block.", last_warp},
    Claim{"N1d", n1, "Writing out all steps, where the trip count is known, is faster still.", complete_unrolling},
    Claim{"N2", n2, "Reading side by side, with nothing else changed, is 7.26 times as fast.", access_pattern},
    Claim{"N3a", n3_reduce, "A reduction in global memory moves three times the bytes of one in shared memory.", three_times_the_traffic},
    Claim{"N3b", n3_scan, "Hillis-Steele is the more efficient scan by steps, Blelloch by work.", steps_and_work},
    Claim{"N3c", n3_scan, "Few elements favour Hillis-Steele, many favour Blelloch.", few_and_many_elements},
    Claim{"N3d", n3_histogram, "Unprotected increments lose counts.", lost_updates},
    Claim{"N3e", n3_histogram, "Atomic increments are limited by the number of bins: fewer bins are slower.", few_bins},
    Claim{"N3f", n3_histogram, "A histogram for each thread needs no atomics.", no_atomics},
    Claim{"N4", n4, "More independent loads for each thread give a higher memory throughput.", throughput},
    Claim{"N5a", n5, "A tree beats a serial sum in each block.", tree},
    Claim{"N5b", n5, "The Kahan step improves precision.", precision},
    Claim{"N5c", n5, "The Kahan step costs 5.4 % of the time.", cost_of_kahan},
    Claim{"N5d", n5, "Halving the stride instead of doubling it removes bank conflicts.", bank_conflicts},
    Claim{"N5e", n5, "Writing out the steps is faster.", written_out},
    Claim{"N5f", n5, "Where 32 threads or fewer are left, no barrier of the block is needed.", below_a_warp},
};

std::string_view in_words(const std::optional<Ruling>& ruling) {
  if (!ruling) return "not testable here";
  switch (*ruling) {
    case Ruling::holds:
      return "**holds**";
    case Ruling::partly:
      return "**holds partly**";
    case Ruling::not_shown:
      return "**no difference shown**";
    case Ruling::does_not_hold:
      return "**does not hold here**";
  }
  return "";
}

constexpr const char* how_it_is_judged =
    "The claims are the notes'; the verdicts are computed from the rows of this run. What a claim says of speed is decided by times on a GPU, until "
    "the "
    "result is in its memory, from cold caches: a ratio says how many times as fast the first rung is as the second, and shows a difference only "
    "where its "
    "95 % interval leaves out 1. A ratio to the rung that a ladder begins with is paired by process; any other has its interval from those of the "
    "two "
    "medians, which is wider than need be. What a claim says of threads, memory, barriers or atomics is decided by the counts of the emulated "
    "backend. "
    "Each is read from the note's own input where this run has it, else from the nearest one. *Holds partly*: one part holds and another does not, "
    "or "
    "the gain is there and smaller than printed. *No difference shown*: an interval has 1 in it. *Not testable here*: rows are missing; where there "
    "is an NVIDIA GPU, `./ladder run --preset notes` "
    "has "
    "all that time can decide.\n\n";

}  // namespace

std::span<const Claim> claims() {
  return all_claims;
}

std::string_view verdict_on(const Claim& claim, const Cells& cells) {
  return in_words(weighed({claim.test(cells)}).ruling);
}

std::string claims_section(const Cells& cells) {
  std::vector<std::vector<std::string>> rows;
  for (const Claim& claim : all_claims) {
    if (std::ranges::none_of(cells, [&](const Cell& c) { return claim.experiment.is_of(c.input.operation); })) continue;
    const Finding finding = weighed({claim.test(cells)});
    rows.push_back({std::string(claim.id), std::string(claim.text), std::string(in_words(finding.ruling)), finding.what + '.'});
  }
  if (rows.empty()) return "";
  return "## The notes' claims\n\n" + std::string(how_it_is_judged) + markdown_table({{"note"}, {"claim"}, {"verdict"}, {"evidence"}}, rows) + '\n';
}

}  // namespace ladder::reports
