// What ncu, NVIDIA's profiler, says of kernels: its CSV, and the checks that follow. Starts
// nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/proof/check.hpp"

namespace ladder::proof {

inline constexpr std::string_view ncu_metrics =
    "gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum";

// One launch of one kernel.
struct Launch {
  std::string kernel;
  double ns = 0, dram_bytes = 0;
};

// The launches in a log of `LC_ALL=C ncu --csv --print-units base --metrics <ncu_metrics>`, which
// holds lines of other kinds too. Throws std::invalid_argument for a log without launches, or with
// one that lacks a metric.
std::vector<Launch> read_ncu(std::string_view log);

// Why ncu says nothing, in words, from how it ended and what it logged; nothing where it does.
std::optional<std::string> why_not_profiled(int exit_code, std::string_view log);

// One implementation, by ncu and by the project.
struct Profiled {
  std::string name;
  double ncu_us = 0, clock_us = 0;              // of a run
  double counted_bytes = 0, formula_bytes = 0;  // likewise
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Profiled, name, ncu_us, clock_us, counted_bytes, formula_bytes)

// The launches whose kernel has this word in its name, as the mean of `runs` runs. Throws
// std::invalid_argument where there is none.
void add_launches(const std::vector<Launch>& launches, std::string_view kernel, unsigned runs,
                  Profiled& profiled);

std::vector<Check> check_profiled(const Profiled& profiled);
std::vector<Check> unprofiled(const std::string& name, const std::string& why);

}  // namespace ladder::proof
