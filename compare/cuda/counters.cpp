// The GPU's counters, by CUPTI's range profiler: a range for each run, run again until every
// counter has had its turn. What begins with smsp__sass is counted by instructions that CUPTI adds
// to the kernel, and exact; the l1tex and dram counters are the hardware's.
#include "compare/worker/backend.hpp"

#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "compare/cuda/check.hpp"

namespace ladder::counters {
namespace {

using reports::Counters;

struct Metric {
  const char* name;
  std::optional<std::uint64_t> Counters::*field;  // of metrics with one field, the sum
};

constexpr std::array metrics{
    Metric{"smsp__sass_data_bytes_mem_global_op_ld.sum", &Counters::global_load_bytes},
    Metric{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", &Counters::global_load_requests},
    Metric{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &Counters::global_load_sectors},
    Metric{"smsp__sass_data_bytes_mem_global_op_st.sum", &Counters::global_store_bytes},
    Metric{"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", &Counters::global_store_requests},
    Metric{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", &Counters::global_store_sectors},
    Metric{"smsp__sass_inst_executed_op_shared.sum", &Counters::shared_requests},
    Metric{"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", &Counters::shared_wavefronts},
    Metric{"smsp__sass_inst_executed_op_global_atom.sum", &Counters::atomic_requests},
    Metric{"smsp__sass_inst_executed_op_global_red.sum", &Counters::atomic_requests},
    Metric{"smsp__sass_inst_executed_op_shared_atom.sum", &Counters::atomic_requests},
    Metric{"sm__ctas_launched.sum", &Counters::blocks},
    Metric{"dram__bytes_read.sum", &Counters::dram_read_bytes},
    Metric{"dram__bytes_write.sum", &Counters::dram_write_bytes},
};

constexpr std::array<const char*, metrics.size()> names = [] {
  std::array<const char*, metrics.size()> all{};
  for (std::size_t m = 0; m < metrics.size(); ++m) all[m] = metrics[m].name;
  return all;
}();

void check(CUptiResult status) {
  if (status == CUPTI_SUCCESS) return;
  if (status == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
    throw std::runtime_error(
        "this user may not read them: root may, and all users where the driver has "
        "NVreg_RestrictProfilingToAdminUsers=0");
  const char* name = nullptr;
  cuptiGetResultString(status, &name);
  throw std::runtime_error(
      fmt::format("CUPTI refuses: {}", name == nullptr ? "for no reason that it names" : name));
}

// CUPTI takes its arguments in structures that begin with their own size.
#define LADDER_ARGUMENTS(Type, name) \
  Type name{};                       \
  name.structSize = Type##_STRUCT_SIZE

// By way of the runtime: a program linked with the driver's library would not start where there is
// no driver.
CUcontext current_context() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  constexpr unsigned since = 4000;  // CUDA 4.0
  gpu::check(cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &entry, since, cudaEnableDefault,
                                              &found));
  CUcontext context{};
  if (entry == nullptr ||
      reinterpret_cast<CUresult (*)(CUcontext*)>(entry)(&context) != CUDA_SUCCESS ||
      context == nullptr)
    throw std::runtime_error("there is no CUDA context");
  return context;
}

class RangeProfiler {
 public:
  RangeProfiler() {
    gpu::check(cudaFree(nullptr));  // makes the context
    CUcontext const context = current_context();
    LADDER_ARGUMENTS(CUpti_Profiler_Initialize_Params, initialize);
    check(cuptiProfilerInitialize(&initialize));
    open_host(context);
    choose_metrics();
    LADDER_ARGUMENTS(CUpti_RangeProfiler_Enable_Params, enable);
    enable.ctx = context;
    check(cuptiRangeProfilerEnable(&enable));
    profiler_ = enable.pRangeProfilerObject;
    LADDER_ARGUMENTS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = const_cast<const char**>(names.data());
    size.numMetrics = names.size();
    size.maxNumOfRanges = size.maxNumRangeTreeNodes = 1;
    check(cuptiRangeProfilerGetCounterDataSize(&size));
    values_.resize(size.counterDataSize);
  }

  Counters read(const std::function<void()>& prepare, const std::function<void()>& run) {
    begin();
    for (bool done = false; !done;) {
      prepare();
      done = pass(run);
    }
    LADDER_ARGUMENTS(CUpti_RangeProfiler_DecodeData_Params, decode);
    decode.pRangeProfilerObject = profiler_;
    check(cuptiRangeProfilerDecodeData(&decode));
    return evaluated();
  }

 private:
  void open_host(CUcontext context) {
    LADDER_ARGUMENTS(CUpti_Device_GetChipName_Params, chip);
    check(cuptiDeviceGetChipName(&chip));
    LADDER_ARGUMENTS(CUpti_Profiler_GetCounterAvailability_Params, availability);
    availability.ctx = context;
    check(cuptiProfilerGetCounterAvailability(&availability));  // its size
    available_.resize(availability.counterAvailabilityImageSize);
    availability.pCounterAvailabilityImage = available_.data();
    check(cuptiProfilerGetCounterAvailability(&availability));
    LADDER_ARGUMENTS(CUpti_Profiler_Host_Initialize_Params, host);
    host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    host.pChipName = chip.pChipName;
    host.pCounterAvailabilityImage = available_.data();
    check(cuptiProfilerHostInitialize(&host));
    host_ = host.pHostObject;
  }

  void choose_metrics() {
    LADDER_ARGUMENTS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
    add.pHostObject = host_;
    add.ppMetricNames = const_cast<const char**>(names.data());
    add.numMetrics = names.size();
    check(cuptiProfilerHostConfigAddMetrics(&add));
    LADDER_ARGUMENTS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    size.pHostObject = host_;
    check(cuptiProfilerHostGetConfigImageSize(&size));
    chosen_.resize(size.configImageSize);
    LADDER_ARGUMENTS(CUpti_Profiler_Host_GetConfigImage_Params, image);
    image.pHostObject = host_;
    image.configImageSize = chosen_.size();
    image.pConfigImage = chosen_.data();
    check(cuptiProfilerHostGetConfigImage(&image));
  }

  // Of a session: what the last one left in values_ is gone.
  void begin() {
    LADDER_ARGUMENTS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, empty);
    empty.pRangeProfilerObject = profiler_;
    empty.counterDataSize = values_.size();
    empty.pCounterData = values_.data();
    check(cuptiRangeProfilerCounterDataImageInitialize(&empty));
    LADDER_ARGUMENTS(CUpti_RangeProfiler_SetConfig_Params, config);
    config.pRangeProfilerObject = profiler_;
    config.configSize = chosen_.size();
    config.pConfig = chosen_.data();
    config.counterDataImageSize = values_.size();
    config.pCounterDataImage = values_.data();
    config.range = CUPTI_UserRange;
    config.replayMode = CUPTI_UserReplay;
    config.maxRangesPerPass = 1;
    config.numNestingLevels = config.minNestingLevel = config.targetNestingLevel = 1;
    check(cuptiRangeProfilerSetConfig(&config));
  }

  // True after the last.
  bool pass(const std::function<void()>& run) {
    LADDER_ARGUMENTS(CUpti_RangeProfiler_Start_Params, start);
    start.pRangeProfilerObject = profiler_;
    check(cuptiRangeProfilerStart(&start));
    LADDER_ARGUMENTS(CUpti_RangeProfiler_PushRange_Params, push);
    push.pRangeProfilerObject = profiler_;
    push.pRangeName = "run";
    check(cuptiRangeProfilerPushRange(&push));
    try {
      run();
    } catch (...) {
      static_cast<void>(end_of_pass());  // or the next range would find this one open
      throw;
    }
    return end_of_pass();
  }

  bool end_of_pass() {
    LADDER_ARGUMENTS(CUpti_RangeProfiler_PopRange_Params, pop);
    pop.pRangeProfilerObject = profiler_;
    const CUptiResult popped = cuptiRangeProfilerPopRange(&pop);
    LADDER_ARGUMENTS(CUpti_RangeProfiler_Stop_Params, stop);
    stop.pRangeProfilerObject = profiler_;
    const CUptiResult stopped = cuptiRangeProfilerStop(&stop);
    check(popped);
    check(stopped);
    return stop.isAllPassSubmitted != 0;
  }

  Counters evaluated() const {
    std::array<double, metrics.size()> found{};
    LADDER_ARGUMENTS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate);
    evaluate.pHostObject = host_;
    evaluate.pCounterDataImage = values_.data();
    evaluate.counterDataImageSize = values_.size();
    evaluate.ppMetricNames = const_cast<const char**>(names.data());
    evaluate.numMetrics = names.size();
    evaluate.pMetricValues = found.data();
    check(cuptiProfilerHostEvaluateToGpuValues(&evaluate));
    Counters counters;
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      constexpr double most = 9e18;  // of the file's integers
      if (!(found[m] >= 0 && found[m] < most)) continue;
      auto& field = counters.*metrics[m].field;
      field = field.value_or(0) + static_cast<std::uint64_t>(std::llround(found[m]));
    }
    return counters;
  }

  CUpti_Profiler_Host_Object* host_{};
  CUpti_RangeProfiler_Object* profiler_{};
  // images, as CUPTI calls them: what the GPU has, what is asked of it, what it said
  std::vector<std::uint8_t> available_, chosen_, values_;
};

#undef LADDER_ARGUMENTS

RangeProfiler& profiler() {
  static auto* made = new RangeProfiler;  // never freed: the context is torn down with the process
  return *made;
}

}  // namespace

std::string unavailable() {
  try {
    profiler();
    return {};
  } catch (const std::exception& reason) {
    return reason.what();
  }
}

Counters read(const std::function<void()>& prepare, const std::function<void()>& run) {
  return profiler().read(prepare, run);
}

}  // namespace ladder::counters
