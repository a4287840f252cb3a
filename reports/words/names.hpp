// Names of what a report speaks of: cells, inputs, rungs, runs and machines.
#pragma once

#include <string>
#include <string_view>

#include "reports/model/model.hpp"

namespace ladder::reports {

// "reduce, sum, i32, n = 2^16, random, cub/cub, cuda, device_result, cold", for a terminal
std::string cell_name(const CellKey& key);

// ", 256 bins, displaced by 1, over 4 devices, in a process each"
std::string what_few_have(const Input& input);
std::string displaced(unsigned offset);  // ", displaced by 1"; empty for 0

// ", over 4 devices", or of a process for each ", over 4 devices, in a process each"; of no devices
// "", or ", on each device"
std::string over_devices(unsigned devices, bool process_for_each);

// " (one device)" of a reference, where others beside it are over devices
std::string_view mark_of_reference(const Cell& cell, const Cells& beside);

// "`cub` (library)", of a reference with its mark
std::string rung_in_words(const Cell& cell, const Cells& beside);

// where its idea is from, and before that its folder where it is not of this project
std::string source_of(const Rung& rung);

// What an excerpt says of the run it is from.
std::string short_id(const Run& run);   // 12 digits, as the report's BibTeX entry has them
std::string day_of(const Run& run);     // "2026-11-24", as Markdown
std::string commit_of(const Run& run);  // 12 digits, as Markdown
std::string gpu_name(const Results& results);

// "`reduce` by sum, i32, n = 2^28 (268,435,456), input random, cold cache", as Markdown; as plain
// text without the marks around the name
std::string input_in_words(const CellKey& key);
std::string input_in_plain_words(const CellKey& key);
std::string input_in_short(const Input& input);  // "sum, i32, n = 2^28", as Markdown

// "shard 2 of 7", or "7 shards on 4 GPUs"; empty where the set is of one run and a whole plan.
std::string shards_in_words(const Results& results);

// "on the GPU", "on the CPU" or "on the emulated backend"
std::string_view on_the(Backend backend);
// "timed on the GPU", "timed on the CPU" or "counted on the emulated backend"
std::string observed_on(Backend backend);

// "Timed on the GPU: device result, cold cache, 256 bins, displaced by 1": of the input its bins
// and its offset
std::string how_in_words(const How& how, const Input& input);

// Plain text.
std::string article_of(std::string_view name);  // "an" of NVIDIA H200
// "sums 2^28 32-bit integers", "runs histogram over 2^28 32-bit integers"
std::string does_in_words(const Input& input);
bool is_of_cccl(const Rung& rung);                         // a call of Thrust or CUB
std::string library_in_short(const Rung& rung);            // "CCCL 3.5"; empty where it names none
std::string short_version(std::string_view name);          // "GCC 13.3" of GCC 13.3.0
std::string compiler_in_words(std::string_view compiler);  // as CMake names it: GCC, not GNU
std::string device_in_words(const Results& results);  // the GPU, or the CPU where none was used
std::string until_in_words(const How& how);           // "until the result is in the GPU's memory"

std::string_view verdict_in_words(Verdict verdict);  // "wrong on purpose"; else as in the file
// "2,884 passed and 36 are wrong on purpose"
std::string verdicts(const Cells& cells);

std::string spaced(std::string_view name);  // "device result"
std::string capitalised(std::string sentence);

}  // namespace ladder::reports
