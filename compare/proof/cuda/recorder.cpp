#include "compare/proof/cuda/recorder.hpp"

#include <cupti.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>

namespace ladder::proof {
namespace {

// What each version of CUPTI calls a record of a kernel has this one's fields at its beginning.
using KernelRecord = CUpti_ActivityKernel9;

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr std::align_val_t buffer_alignment{8};  // ACTIVITY_RECORD_ALIGNMENT

struct Kernel {
  std::string name;
  std::uint64_t start = 0, end = 0;  // ns
};

// Filled by a thread of CUPTI's. Never freed: that thread may outlive all static objects.
struct Records {
  std::mutex mutex;
  std::vector<Kernel> kernels;
  std::size_t dropped = 0;
};

Records& records() {
  static auto* made = new Records;
  return *made;
}

void check(CUptiResult status) {
  if (status == CUPTI_SUCCESS) return;
  const char* name = nullptr;
  cuptiGetResultString(status, &name);
  throw NoRecords(
      fmt::format("CUPTI refuses: {}", name == nullptr ? "for no reason that it names" : name));
}

void CUPTIAPI hand_out_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(operator new(buffer_bytes, buffer_alignment));
  *size = buffer_bytes;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                          std::size_t, std::size_t filled) {
  const std::lock_guard lock(records().mutex);
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, filled, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
    const auto* kernel = reinterpret_cast<const KernelRecord*>(record);
    records().kernels.push_back({kernel->name, kernel->start, kernel->end});
  }
  std::size_t dropped = 0;
  if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
    records().dropped += dropped;
  operator delete(buffer, buffer_alignment);
}

}  // namespace

// CONCURRENT_KERNEL: the plain KERNEL makes launches wait for each other, and the clock's blocking
// kernel would never be released.
Recorder::Recorder() {
  check(cuptiActivityRegisterCallbacks(hand_out_buffer, take_buffer));
  check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
}

std::vector<double> Recorder::durations_us(std::string_view kernel) const {
  check(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
  const std::lock_guard lock(records().mutex);
  if (records().dropped != 0)
    throw NoRecords(fmt::format("CUPTI dropped {} records", records().dropped));
  auto& all = records().kernels;
  std::ranges::sort(all, {}, &Kernel::start);
  std::vector<double> durations;
  for (const Kernel& one : all)
    if (one.name.find(kernel) != std::string::npos)
      durations.push_back(static_cast<double>(one.end - one.start) / 1e3);
  return durations;
}

}  // namespace ladder::proof
