#include "reports/notes/printed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "reports/columns.hpp"
#include "reports/gpu_times.hpp"
#include "reports/tables.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

struct PrintedRung {
  std::string_view rung, figures;
  double duration;  // in whatever unit: only ratios are made of it
};

struct PrintedNote {
  std::string_view id, remark;
  const Experiment& experiment;
  std::vector<PrintedRung> rungs;
};

const std::array printed_notes{
    PrintedNote{"N2",
                "on a GPU at 797 MHz, by the clock of the kernel's first thread",
                n2,
                {{"chunked", "6,489,302 cycles, 515 MB/s", 6'489'302}, {"strided", "894,297 cycles, 3.74 GB/s", 894'297}}},
    PrintedNote{"N4",
                "on an RTX 3090; labelled as milliseconds, which the values cannot be",
                n4,
                {{"neighbored", "0.001532 s", 1532},
                 {"neighbored_less", "0.001402 s", 1402},
                 {"interleaved", "0.001371 s", 1371},
                 {"unrolling2", "0.001357 s", 1357}}},
    PrintedNote{"N5",
                "on a GPU and for a number of elements that it does not name",
                n5,
                {{"dot0_serial", "1,699,738.016 us", 1'699'738.016},
                 {"dot1_tree", "114,682.144 us", 114'682.144},
                 {"dot2_kahan", "120,819.072 us", 120'819.072},
                 {"dot3_conflict_free", "71,126.240 us", 71'126.240},
                 {"dot4_unrolled", "57,975.072 us", 57'975.072},
                 {"dot5_last_warp", "49,489.856 us", 49'489.856}}},
};

// The hand-written cells of the note's type and size on a GPU that share one input: the note's values where there are some.
Cells measured(const PrintedNote& note, const Cells& cells) {
  Cells found;
  for (const Cell& c : cells) {
    const CellKey& key = c.key();
    const bool is_kernel = key.who.provider == "handwritten" && key.how.backend == Backend::cuda && key.how.contract == Contract::device_result &&
                           key.how.cache == Cache::cold;
    const bool same = note.experiment.is_of(key.input.operation) && key.input.op.value_or("sum") == "sum" &&
                      key.input.dtype == note.experiment.dtype && key.input.n == note.experiment.n;
    if (is_kernel && same) found.push_back(c);
  }
  const auto has_values = [&](const Cell& c) { return c.input.distribution == note.experiment.distribution; };
  const auto values = std::ranges::find_if(found, has_values) != found.end() ? std::string(note.experiment.distribution)
                      : found.empty()                                        ? ""
                                                                             : found[0].input.distribution;
  std::erase_if(found, [&](const Cell& c) { return c.input.distribution != values; });
  return found;
}

const Cell* cell_of(std::string_view rung, const Cells& cells) {
  const auto cell = std::ranges::find_if(cells, [&](const Cell& c) { return c.who.rung == rung; });
  return cell == cells.end() ? nullptr : &*cell;
}

std::string time_here(const Cell* cell) {
  if (cell == nullptr) return "";
  if (cell->timing() == nullptr) return std::string(instead_of_numbers(cell->verdict()));
  const std::string cycles = column("SM cycles").text(*cell), bandwidth = column("GB/s").text(*cell);
  return (cycles.empty() ? "" : cycles + " cycles, ") + column("time (95 % interval)").text(*cell) +
         (bandwidth.empty() ? "" : ", " + bandwidth + " GB/s");
}

std::string ratio_here(const Cell* cell, const Cell* first) {
  if (cell == nullptr || first == nullptr || cell == first || cell->timing() == nullptr || first->timing() == nullptr) return "";
  return ratio_text(speedup(*cell, *first));
}

std::string in_words(const PrintedNote& note, const Cells& here, const std::string& gpu) {
  const std::string printed = fmt::format("**{}**, {}.", note.id, note.remark);
  if (here.empty())
    return printed + fmt::format(" Not measured here: `./ladder run --preset notes` does, for {} and n = {}, where there is an NVIDIA GPU.",
                                 note.experiment.dtype, elements(note.experiment.n));
  return printed + fmt::format(" Here: {}, on {}, until the result is in its memory.", input_in_words(here[0].key()), escaped(gpu));
}

std::string table(const PrintedNote& note, const Cells& here) {
  std::vector<std::vector<std::string>> rows;
  const Cell* first = cell_of(note.rungs[0].rung, here);
  for (const PrintedRung& printed : note.rungs) {
    const Cell* cell = cell_of(printed.rung, here);
    const double ratio = note.rungs[0].duration / printed.duration;
    rows.push_back({code(printed.rung), std::string(printed.figures), &printed == note.rungs.data() ? "" : factor(ratio), time_here(cell),
                    ratio_here(cell, first)});
  }
  const auto ratio_to = [&](const char* where) { return fmt::format("{} to {}", where, code(note.rungs[0].rung)); };
  const std::string printed_ratio = ratio_to("printed, relative"), ratio = ratio_to("here, relative");
  return markdown_table({{"rung"}, {"printed", true}, {printed_ratio, true}, {"measured here", true}, {ratio, true}}, rows);
}

}  // namespace

std::string printed_section(const Cells& cells, const std::string& gpu) {
  std::string text;
  for (const PrintedNote& note : printed_notes) {
    if (std::ranges::none_of(cells, [&](const Cell& c) { return note.experiment.is_of(c.input.operation); })) continue;
    const Cells here = measured(note, cells);
    text += fmt::format("{}\n\n{}\n", in_words(note, here, gpu), table(note, here));
  }
  return text.empty() ? "" : "## As printed in the notes, and measured here\n\n" + text;
}

}  // namespace ladder::reports
