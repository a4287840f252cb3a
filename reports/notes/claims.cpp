#include "reports/notes/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/numbers/metrics.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/columns.hpp"

namespace ladder::reports {
namespace {

const Figure lanes{"lanes of 32 active in a memory request", counter<&Counters::active_lanes>};
const Figure requests{"memory requests", memory_requests};
const Figure barriers{"barriers per block", barriers_per_block};
const Figure sectors{"sectors per load of a warp", sectors_per_load};
const Figure steps{"dependent steps", counter<&Counters::steps>};
const Figure work{"operations on elements", counter<&Counters::work>};
const Figure atomics{"atomic operations", counter<&Counters::atomics>};
const Figure traffic{"bytes of global memory over the minimum", traffic_over_minimum};

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

// For i32 and f32. A request of 8-byte elements takes two passes without a conflict.
std::optional<double> passes_of_4_byte_types(const Cell& cell) {
  return cell.input.dtype.ends_with("32") ? wavefronts_per_shared_request(cell) : std::nullopt;
}

const Figure passes{"wavefronts per shared memory request", passes_of_4_byte_types};

Ruling about_three_times(const Figures& f) {
  const bool is_three = f[0] > 2.9 * f[1] && f[0] < 3.1 * f[1];
  return f[0] > f[1] && !is_three ? Ruling::partly : if_true(is_three);
}

// A barrier was not needed where there are fewer, and no answer is wrong for it.
Test fewer_barriers(std::string_view rung, std::string_view than) {
  return [=](const Trial& it) {
    const Evidence answers = right(rung)(it);
    Evidence both =
        weighed_only_together({counted({rung, than}, barriers, first_is_less)(it), answers});
    if (answers.ruling == Ruling::does_not_hold) both.ruling = answers.ruling;
    return both;
  };
}

Evidence steps_and_work(const Trial& it) {
  const Rungs rungs{"hillis_steele", "blelloch"};
  return weighed_only_together(
      {counted(rungs, steps, first_is_less)(it), counted(rungs, work, first_is_more)(it)});
}

// The note names an algorithm, and both rungs have it. The one without bank conflicts need not be
// there.
Evidence few_and_many_elements(const Trial& it) {
  constexpr std::string_view hillis_steele = "hillis_steele", blelloch = "blelloch",
                             conflict_free = "blelloch_conflict_free";
  const Trial few{it.cells, n3_short_scan};
  std::vector<Evidence> parts{weighed_only_together(
      {faster(hillis_steele, blelloch)(few), faster(blelloch, hillis_steele)(it)})};
  for (const Evidence& part :
       {faster(hillis_steele, conflict_free)(few), faster(conflict_free, hillis_steele)(it)})
    if (parts[0].ruling && part.ruling) parts.push_back(part);
  return weighed(parts);
}

// With as many bins as elements, no two of them need to meet.
Evidence lost_updates(const Trial& it) {
  std::vector<const Cell*> answered;
  for (const Cell& c : it.cells) {
    const bool is_racy = it.experiment.is_of(c.input.operation) &&
                         c.who == Who{"handwritten", "racy"} &&
                         c.input.n > c.input.bins.value_or(1) && c.input.offset == 0;
    if (is_racy && (c.passed() || (c.verdict() == Verdict::expected_wrong && c.lost_counts())))
      answered.push_back(&c);
  }
  if (answered.empty()) return missing("answers", {"racy"});
  // A GPU before the emulator, and of several inputs the longest.
  std::ranges::sort(answered, {}, [](const Cell* c) {
    return std::tuple(c->how.backend, ~c->input.n, c->key());
  });
  const auto inputs = each(answered, [](const Cell* c) {
    return Said{c, if_true(c->lost_counts() > 0u)};
  });
  const Cell& first = *answered[0];
  Fact fact{where(first.key()),
            first.passed() ? "every element was counted"
                           : "lost " + column("lost counts").text(first) + " of the elements"};
  if (inputs.size() > 1) fact.what += "; " + tally(inputs, "rows", {"lost some", "lost none"});
  return {over_all(inputs), {fact}};
}

// Each number of bins against the next smaller one, for the same elements. In part, where fewer
// bins are slower on the whole, and not at each step.
std::optional<Ruling> fewer_is_slower(const std::map<unsigned, const Cell*>& by_bins) {
  const auto verdict = [](const Cell& more, const Cell& fewer) {
    const auto ratio = speedup(more, fewer);
    return ratio ? std::optional(ratio->verdict) : std::nullopt;
  };
  const auto on_the_whole = verdict(*by_bins.rbegin()->second, *by_bins.begin()->second);
  if (!on_the_whole) return {};
  if (*on_the_whole != Difference::faster)
    return *on_the_whole == Difference::slower ? Ruling::does_not_hold : Ruling::not_shown;
  for (auto fewer = by_bins.begin(), more = std::next(fewer); more != by_bins.end();
       ++fewer, ++more)
    if (verdict(*more->second, *fewer->second) == Difference::slower) return Ruling::partly;
  return Ruling::holds;
}

// Where all elements are the same they fall into one bin, however many there are.
Evidence few_bins(const Trial& it) {
  constexpr std::string_view rung = "global_atomics";
  std::map<Input, std::map<unsigned, const Cell*>> inputs;
  for (const OneInput& one : on_each_input(it, Source::times, {rung})) {
    Input input = one[0]->input;
    if (!input.bins || !it.experiment.decides(input.n) || input.distribution == "constant")
      continue;
    input.bins.reset();
    inputs[input].emplace(*one[0]->input.bins, one[0]);
  }
  std::vector<std::pair<std::map<unsigned, const Cell*>, Said>> judged;
  for (const auto& [input, by_bins] : inputs) {
    const auto ruling = by_bins.size() < 2 ? std::nullopt : fewer_is_slower(by_bins);
    if (ruling) judged.emplace_back(by_bins, Said{by_bins.begin()->second, *ruling});
  }
  if (judged.empty()) return missing("GPU times", {rung}, "few and with many bins");
  std::ranges::stable_sort(judged, {}, [&](const auto& one) {
    return std::pair(one.second.cell->input.distribution != it.experiment.distribution,
                     ~one.first.size());
  });
  const auto& by_bins = judged[0].first;
  const auto parts = each(by_bins, [](const auto& of) {
    return fmt::format("{} with {}", column("time (95 % interval)").text(*of.second),
                       counted(of.first, "bin"));
  });
  CellKey key = judged[0].second.cell->key();
  key.input.bins.reset();
  Fact fact{where(key),
            fmt::format("{}: {}; most bins against fewest: {}", code(rung), joined(parts),
                        ratio_text(*speedup(*by_bins.rbegin()->second, *by_bins.begin()->second)))};
  const auto all = each(judged, [](const auto& one) { return one.second; });
  if (all.size() > 1)
    fact.what += "; " + tally(all, "inputs",
                              {"slower with fewer bins", "faster with fewer bins",
                               "no difference shown", "not slower at each step"});
  return {over_all(all), {fact}};
}

// Where the sums cancel, nothing of a rounding error is hidden. An input that both get right to the
// last bit tells nothing.
Evidence precision(const Trial& it) {
  const Rungs rungs{"dot2_kahan", "dot1_tree"};
  Experiment cancelling = n5;
  cancelling.distribution = "ill_conditioned";
  const auto ulp = [](const Cell* cell) { return *cell->error()->ulp_max; };
  std::vector<Said> inputs;
  Fact fact;
  for (const OneInput& pair : on_each_input({it.cells, cancelling}, Source::errors, rungs)) {
    const double with = ulp(pair[0]), without = ulp(pair[1]);
    if (with == 0 && without == 0) continue;
    if (inputs.empty())
      fact = {where(pair[0]->key()),
              fmt::format("error in units in the last place: {} {}, {} {}", code(rungs[0]),
                          shortest(with), code(rungs[1]), shortest(without))};
    inputs.push_back({pair[0], if_true(with < without)});
  }
  if (inputs.empty()) return missing("errors", rungs);
  if (inputs.size() > 1)
    fact.what +=
        "; " + tally(inputs, "inputs with an error", {"smaller with the step", "not smaller"});
  return {over_all(inputs), {fact}};
}

const Rungs packing{"neighbored", "neighbored_less", "interleaved"};

const std::array all_claims{
    Claim{"N1a",
          n1,
          "Packing the active threads into the lowest warps removes divergence from all but the "
          "last steps.",
          {counted(packing, lanes,
                   [](const Figures& f) { return of_two_steps(f[1] > f[0], f[2] > f[0]); }),
           counted(packing, requests,
                   [](const Figures& f) { return of_two_steps(f[1] < f[0], f[2] < f[0]); }),
           told(faster("neighbored_less", "neighbored")),
           told(faster("interleaved", "neighbored_less"))}},
    Claim{"N1b",
          n1,
          "A block that sums two slices is faster, although half as many blocks run.",
          {faster("unrolling2", "interleaved")}},
    Claim{
        "N1c",
        n1,
        "The last warp needs no barriers of the block.",  // in time the last warp cannot be told
                                                          // from the eight slices that come with it
        {fewer_barriers("unroll_warps8", "interleaved"),
         told(faster("unroll_warps8", "unrolling2"))},
        "The note has a volatile pointer and no barrier, which is undefined since Volta. Here "
        "`__syncwarp` separates the steps of the last warp. The "
        "note's own mechanism is not tested."},
    Claim{"N1d",
          n1,
          "With the trip count known at compile time, the loop can be unrolled completely.",
          {right("complete_unroll_warps8"), told(faster("complete_unroll_warps8", "unroll_warps8")),
           counted({"complete_unroll_warps8", "unroll_warps8"}, barriers)},
          "",
          "The note does not say that this is faster. Its kernel tests the block size at run time, "
          "and has one barrier more than `unroll_warps8` at "
          "512 threads."},
    Claim{"N2a",
          n2,
          "Reading side by side, with nothing else changed, is faster.",
          {faster("strided", "chunked"), counted({"chunked", "strided"}, sectors)}},
    Claim{"N2b",
          n2,
          "Reading side by side is 7.26 times as fast.",
          {by_factor("strided", "chunked", 6'489'302.0 / 894'297)},
          "",
          "The note reads the clock of one thread, on a GPU at 797 MHz. Here the time covers the "
          "whole result, with the sum of the 1,024 slots. The "
          "note leaves that sum to the host."},
    Claim{"N3a",
          n3_reduce,
          "A reduction in global memory moves three times the bytes of one in shared memory.",
          {counted({"global_two_pass", "shared_two_pass"}, traffic, about_three_times),
           told(faster("shared_two_pass", "global_two_pass"))},
          "",
          "These are the bytes that the kernels ask for, and not the traffic of DRAM."},
    Claim{"N3b",
          n3_scan,
          "Hillis-Steele is the more efficient scan by steps, Blelloch by work.",
          {steps_and_work}},
    Claim{"N3c",
          n3_scan,
          "Few elements favour Hillis-Steele, many favour Blelloch.",
          {few_and_many_elements},
          "",
          "`blelloch` and `blelloch_conflict_free` are the same algorithm, and the first has bank "
          "conflicts, which the note does not mention. The note "
          "says that GPU and implementation matter too. It does not say how blocks are joined: "
          "here their totals are scanned, level by level."},
    Claim{"N3d", n3_histogram, "Unprotected increments lose counts.", {lost_updates}},
    Claim{"N3e",
          n3_histogram,
          "Atomic increments are limited by the number of bins: fewer bins are slower.",
          {few_bins},
          "",
          "An input of equal elements has one busy bin, so it does not test this."},
    Claim{"N3f",
          n3_histogram,
          "A histogram for each thread needs no atomics.",
          {counted({"private_then_reduce", "global_atomics"}, atomics,
                   [](const Figures& f) { return if_true(f[0] == 0); })}},
    Claim{"N4",
          n4,
          "More independent loads for each thread give a higher memory throughput.",
          {faster("unrolling2", "interleaved"), counted({"unrolling2", "interleaved"}, traffic),
           counted({"unrolling2", "interleaved"}, lanes)},
          "",
          "Both rungs move the same bytes, so the throughput follows from the time."},
    Claim{"N5a",
          n5,
          "A tree beats a serial sum in each block.",
          {faster("dot1_tree", "dot0_serial")},
          "",
          "nvcc keeps the total of the serial sum in a register. As the note writes it, each "
          "addition goes to global memory."},
    Claim{"N5b",
          n5,
          "The Kahan step improves precision.",
          {precision},
          "",
          "The step of the note compensates a sum of one term, which loses nothing. The rung "
          "`compensated` compensates where a sum loses something."},
    Claim{"N5c",
          n5,
          "The Kahan step costs 5.4 % of the time.",
          {by_factor("dot2_kahan", "dot1_tree", 114'682.144 / 120'819.072)}},
    Claim{"N5d",
          n5,
          "Halving the stride instead of doubling it removes bank conflicts.",
          // one pass for each request leaves nothing to remove
          {counted({"dot2_kahan", "dot3_conflict_free"}, passes,
                   [](const Figures& f) { return if_true(f[0] > 1 && f[1] < f[0]); }),
           told(faster("dot3_conflict_free", "dot2_kahan"))},
          "",
          "It is judged for 4-byte elements. `dot2_kahan` indexes by the thread and has no "
          "conflicts to remove. The rung `bank_conflicts` has some."},
    Claim{"N5e",
          n5,
          "Writing out the steps is faster.",
          {faster("dot4_unrolled", "dot3_conflict_free")}},
    Claim{"N5f",
          n5,
          "Where 32 threads or fewer are left, no barrier of the block is needed.",
          {fewer_barriers("dot5_last_warp", "dot4_unrolled"),
           told(faster("dot5_last_warp", "dot4_unrolled"))},
          "The note has neither `volatile` nor a barrier, which is undefined since Volta. Here "
          "`__syncwarp` separates the steps. The note's own "
          "mechanism is not tested."},
};

std::string verdict(const Claim& claim, const std::optional<Ruling>& ruling) {
  if (!ruling) return "not testable here";
  std::string word = *ruling == Ruling::holds       ? "**holds**"
                     : *ruling == Ruling::partly    ? "**holds partly**"
                     : *ruling == Ruling::not_shown ? "**no difference shown**"
                                                    : "**does not hold here**";
  const bool holds = *ruling == Ruling::holds || *ruling == Ruling::partly;
  return holds && !claim.repaired.empty() ? word + ", as repaired" : word;
}

}  // namespace

std::span<const Claim> claims() {
  return all_claims;
}

Evidence evidence_of(const Claim& claim, const Cells& cells) {
  return weighed(each(claim.parts, [&](const Test& part) {
    return part({cells, claim.experiment});
  }));
}

std::string verdict_on(const Claim& claim, const Cells& cells) {
  return verdict(claim, evidence_of(claim, cells).ruling);
}

std::vector<Judged> judged_claims(const Cells& cells) {
  std::vector<Judged> all;
  for (const Claim& claim : all_claims) {
    if (std::ranges::none_of(
            cells, [&](const Cell& c) { return claim.experiment.is_of(c.input.operation); }))
      continue;
    const Evidence its = evidence_of(claim, cells);
    all.push_back({claim, its, verdict(claim, its.ruling)});
  }
  return all;
}

std::string how_claims_are_judged() {
  return passage("notes/how claims are judged");
}

Table claims_table(const std::vector<Judged>& all) {
  Table table{{"note", "claim", "verdict", "evidence", "repaired, or to know"}};
  for (const Judged& one : all)
    table.rows.push_back({std::string(one.claim.id), std::string(one.claim.text), one.verdict,
                          in_words(one.evidence), std::string(one.remark())});
  return table;
}

std::string claims_section(const Cells& cells) {
  const auto all = judged_claims(cells);
  if (all.empty()) return "";
  return fmt::format("## The notes' claims\n\n{}\n\n{}\n", how_claims_are_judged(),
                     markdown_table(claims_table(all)));
}

}  // namespace ladder::reports
