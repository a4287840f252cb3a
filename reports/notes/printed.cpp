#include "reports/notes/printed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

struct PrintedRow {
  std::string_view rung;
  std::string_view figures;  // as printed, units and all
  double us;
  std::string_view bandwidth = {};  // in this report's units, where one is printed
  bool is_ours = true;              // else no rung of ours does this, and it is a label
};

struct PrintedNote {
  std::string_view id, remark;
  const Experiment& experiment;
  std::vector<PrintedRow> rows;  // the first is the one that ratios are relative to
  std::string_view comment = {};
};

constexpr double mhz = 797;  // of the GPU of N2

const std::array printed_notes{
    PrintedNote{.id = "N2",
                .remark = "on a GPU at 797 MHz, by the clock of the kernel's first thread",
                .experiment = n2,
                .rows = {{"chunked", "6,489,302 cycles, 491 MB/s", 6'489'302 / mhz, ", 0.515 GB/s"},
                         {"strided", "894,297 cycles, 0.0011221 s, 3.48 GB/s", 894'297 / mhz,
                          ", 3.74 GB/s"}},
                .comment =
                    "The note's MB and GB are 2^20 and 2^30 bytes. The 8.14 ms follow from the "
                    "cycles at 797 MHz."},
    PrintedNote{
        .id = "N4",
        .remark = "on an RTX 3090; labelled as milliseconds, but the values can only be seconds",
        .experiment = n4,
        .rows = {{"neighbored", "0.001532", 1532},
                 {"neighbored_less", "0.001402", 1402},
                 {"interleaved", "0.001371", 1371},
                 {"unrolling2", "0.001357", 1357},
                 {"warm-up on the GPU", "0.003663", 3663, "", false},
                 {"loop on the CPU", "0.039772", 39'772, "", false}},
        .comment =
            "The note prints the sum 2,139,353,471. The input `glibc_bytes` has the same sum."},
    PrintedNote{.id = "N5",
                .remark = "on a GPU and for a number of elements that the note does not name",
                .experiment = n5,
                .rows = {{"dot0_serial", "1,699,738.016 us", 1'699'738.016},
                         {"dot1_tree", "114,682.144 us", 114'682.144},
                         {"dot2_kahan", "120,819.072 us", 120'819.072},
                         {"dot3_conflict_free", "71,126.240 us", 71'126.240},
                         {"dot4_unrolled", "57,975.072 us", 57'975.072},
                         {"dot5_last_warp", "49,489.856 us", 49'489.856}},
                .comment = "Most of the printed 34.3x is `dot0_serial`, where one thread adds up "
                           "the whole block. As the note writes it, each addition "
                           "loads and stores the total in global memory. Here nvcc keeps the total "
                           "in a register and stores it once. The note names "
                           "neither its GPU nor its compiler, so the cause is not proved."},
};

// They are not measured: a test works them out again.
const Table worked_examples{
    {"example", "input", "as printed"},
    {{"inclusive scan by sum", "1, 2, 3, 4", "1, 3, 6, 10"},
     {"partial results in place after the up-sweep of Blelloch's scan, from the root down",
      "1, 2, 3, 4, 5, 6, 7, 8", "36; 10; 3, 11; 1, 3, 5, 7"},
     {"a left child and its parent, before and after their step of the down-sweep", "11, 10",
      "10, 21"},
     {"histogram by sort and reduction", "2, 1, 1, 2, 1, 0, 2, 2", "1, 3, 4"}}};

// The hand-written cells of the note's type and size on a GPU that share one input: the note's
// values where there are some.
Cells measured(const PrintedNote& note, const Cells& cells) {
  Cells found;
  for (const Cell& c : cells) {
    const bool same = note.experiment.is_of(c.input.operation) &&
                      c.input.op.value_or("sum") == "sum" &&
                      c.input.dtype == note.experiment.dtype && c.input.n == note.experiment.n &&
                      c.input.offset == 0;
    if (same && !is_library(c) && c.how == cold_on_gpu) found.push_back(c);
  }
  std::stable_partition(found.begin(), found.end(), [&](const Cell& c) {
    return c.input.distribution == note.experiment.distribution;
  });
  if (!found.empty())
    std::erase_if(found, [values = found[0].input.distribution](const Cell& c) {
      return c.input.distribution != values;
    });
  return found;
}

// Null where there is none.
const Cell* cell_of(std::string_view rung, const Cells& cells) {
  const auto cell = std::ranges::find_if(cells, [&](const Cell& c) { return c.who.rung == rung; });
  return cell == cells.end() ? nullptr : &*cell;
}

std::string time_here(const Cell* cell) {
  if (cell == nullptr) return "";
  if (cell->timing() == nullptr) return std::string(instead_of_numbers(cell->verdict()));
  const std::string cycles = column("SM cycles").text(*cell),
                    bandwidth = column("GB/s").text(*cell);
  return (cycles.empty() ? "" : cycles + " cycles, ") + column("time (95 % interval)").text(*cell) +
         (bandwidth.empty() ? "" : ", " + bandwidth + " GB/s");
}

std::string ratio_here(const Cell* cell, const Cell* first) {
  if (cell == nullptr || first == nullptr || cell == first || cell->timing() == nullptr ||
      first->timing() == nullptr)
    return "";
  const auto ratio = speedup(*cell, *first);
  return ratio ? ratio_text(*ratio) : "";
}

std::string in_words(const PrintedNote& note, const Cells& here, const std::string& gpu) {
  const std::string printed = fmt::format("**{}**, {}.", note.id, note.remark);
  if (here.empty())
    return printed + fmt::format(
                         " Not measured here: `./ladder run --preset notes` measures it, for {} "
                         "and n = {}, on an NVIDIA GPU.",
                         note.experiment.dtype, elements(note.experiment.n));
  return printed + fmt::format(" Here: {}, on {}, until the result is in its memory.",
                               input_in_words(here[0].key()), escaped(gpu));
}

std::string table(const PrintedNote& note, const Cells& here) {
  const PrintedRow& first = note.rows[0];
  const Cell* first_here = cell_of(first.rung, here);
  const std::string to_first = ", relative to " + code(first.rung);
  Table table{{"rung",
               {"as printed", true},
               {"in this report's units", true},
               {"printed" + to_first, true},
               {"measured here", true},
               {"here" + to_first, true}}};
  for (const PrintedRow& row : note.rows) {
    const Cell* cell = cell_of(row.rung, here);
    table.rows.push_back({row.is_ours ? code(row.rung) : std::string(row.rung),
                          std::string(row.figures), duration(row.us).append(row.bandwidth),
                          &row == &first ? "" : factor(first.us / row.us), time_here(cell),
                          ratio_here(cell, first_here)});
  }
  return markdown_table(table) + (note.comment.empty() ? "" : fmt::format("\n{}\n", note.comment));
}

}  // namespace

std::string printed_section(const Cells& cells, const std::string& gpu) {
  std::string text;
  for (const PrintedNote& note : printed_notes) {
    if (std::ranges::none_of(
            cells, [&](const Cell& c) { return note.experiment.is_of(c.input.operation); }))
      continue;
    const Cells here = measured(note, cells);
    text += fmt::format("{}\n\n{}\n", in_words(note, here, gpu), table(note, here));
  }
  if (std::ranges::any_of(cells, [](const Cell& c) {
        return n3_scan.is_of(c.input.operation) || n3_histogram.is_of(c.input.operation);
      }))
    text += "**N3** prints no times. It works out these examples by hand:\n\n" +
            markdown_table(worked_examples) + '\n';
  return text.empty() ? "" : "## As printed in the notes, and measured here\n\n" + text;
}

}  // namespace ladder::reports
