// The collective calls of the cuda backend, by NCCL. NVLink multicast is off: every time of NCCL is
// one without it.
#include <fmt/format.h>
#include <nccl.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/backend.hpp"
#include "compare/cuda/check.hpp"
#include "compare/cuda/own_device.hpp"
#include "compare/cuda/software.hpp"
#include "compare/operators.hpp"

namespace ladder {
namespace {

void check_nccl(ncclResult_t status, const char* call) {
  if (status == ncclSuccess) return;
  const std::string said =
      fmt::format("{}: {} ({})", call, ncclGetErrorString(status), ncclGetLastError(nullptr));
  // throws where the device is lost
  if (status == ncclUnhandledCudaError) gpu::check(cudaDeviceSynchronize());
  throw gpu::Failure(said);
}

// NCCL reads its environment at the first call. What this process starts inherits it.
void turn_multicast_off() {
  setenv("NCCL_NVLS_ENABLE", "0", 1);
}

ncclComm_t of_group{};    // of this process, where other processes have the other devices
std::size_t processes{};  // in the group

ncclUniqueId new_id() {
  turn_multicast_off();
  ncclUniqueId id;
  check_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
  return id;
}

// One for each of the first devices. They are kept with the process: to make them takes longer than
// most runs.
std::span<const ncclComm_t> communicators(std::size_t devices) {
  if (of_group != nullptr) return {&of_group, 1};
  static auto* const made = new std::map<std::size_t, std::vector<ncclComm_t>>;
  if (const auto known = made->find(devices); known != made->end()) return known->second;
  const ncclUniqueId id = new_id();
  std::vector<ncclComm_t> all(devices);
  const struct BackToFirst {
    ~BackToFirst() { cudaSetDevice(0); }
  } back_to_first;
  check_nccl(ncclGroupStart(), "ncclGroupStart");
  for (std::size_t rank = 0; rank < devices; ++rank) {
    const cudaError_t chosen = cudaSetDevice(static_cast<int>(rank));
    const ncclResult_t begun =
        ncclCommInitRank(&all[rank], static_cast<int>(devices), id, static_cast<int>(rank));
    if (chosen == cudaSuccess && begun == ncclSuccess) continue;
    ncclGroupEnd();
    gpu::check(chosen);
    check_nccl(begun, "ncclCommInitRank");
  }
  check_nccl(ncclGroupEnd(), "ncclCommInitRank");
  return made->emplace(devices, std::move(all)).first->second;
}

// call(rank, its communicator, its stream), of all devices at once.
template <class Call>
void call_all(std::size_t devices, const char* name, const Call& call) {
  const auto all = communicators(devices);
  check_nccl(ncclGroupStart(), "ncclGroupStart");
  ncclResult_t status = ncclSuccess;
  for (unsigned rank = 0; rank < devices && status == ncclSuccess; ++rank)
    status = call(rank, all[rank], backend::stream_of(rank));
  const ncclResult_t ended = ncclGroupEnd();
  check_nccl(status, name);
  check_nccl(ended, name);
}

template <class Word>
Word named(std::initializer_list<std::pair<std::string_view, Word>> words, std::string_view name) {
  for (const auto& [its_name, word] : words)
    if (its_name == name) return word;
  throw std::invalid_argument(fmt::format("ncclAllReduce has no {}", name));
}

// 22809 -> "2.28.9"
std::string version_text(int code) {
  return fmt::format("{}.{}.{}", code / 10000, code / 100 % 100, code % 100);
}

}  // namespace

// As text, since it travels through pipes.
std::string backend::new_group() {
  std::string text;
  for (const ncclUniqueId id = new_id(); const char byte : id.internal)
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

void backend::join_group(const std::string& group, unsigned rank, unsigned ranks) {
  turn_multicast_off();
  ncclUniqueId id;
  if (group.size() != 2 * sizeof id.internal)
    throw std::invalid_argument("the id of a group of NCCL has another length");
  for (std::size_t k = 0; k < sizeof id.internal; ++k)
    if (std::from_chars(&group[2 * k], &group[2 * k] + 2,
                        reinterpret_cast<unsigned char&>(id.internal[k]), 16)
            .ec != std::errc())
      throw std::invalid_argument("the id of a group of NCCL is in hexadecimal digits");
  gpu::take_device(rank);
  check_nccl(ncclCommInitRank(&of_group, static_cast<int>(ranks), id, static_cast<int>(rank)),
             "ncclCommInitRank");
  processes = ranks;
}

void backend::gather_on_host(const void* own, void* all, std::size_t bytes) {
  const auto deleted = [](void* memory) { release(memory); };
  const std::unique_ptr<void, decltype(deleted)> from(allocate(bytes), deleted),
      to(allocate(processes * bytes), deleted);
  upload(from.get(), own, bytes);
  all_gather(std::array{Exchange{from.get(), to.get()}}, bytes);
  download(all, to.get(), processes * bytes, stream_of(0));
}

void backend::all_gather(std::span<const Exchange> devices, std::size_t bytes) {
  call_all(devices.size(), "ncclAllGather",
           [&](unsigned rank, ncclComm_t communicator, cudaStream_t stream) {
             return ncclAllGather(devices[rank].from, devices[rank].to, bytes, ncclInt8,
                                  communicator, stream);
           });
}

void backend::all_reduce(std::span<const Exchange> devices, std::size_t elements,
                         std::string_view dtype, std::string_view op) {
  const auto type = named<ncclDataType_t>(
      {{"i32", ncclInt32}, {"i64", ncclInt64}, {"f32", ncclFloat32}, {"f64", ncclFloat64}}, dtype);
  const auto operation = named<ncclRedOp_t>(
      {{Sum::name, ncclSum}, {Product::name, ncclProd}, {Min::name, ncclMin}, {Max::name, ncclMax}},
      op);
  call_all(devices.size(), "ncclAllReduce",
           [&](unsigned rank, ncclComm_t communicator, cudaStream_t stream) {
             return ncclAllReduce(devices[rank].from, devices[rank].to, elements, type, operation,
                                  communicator, stream);
           });
}

std::optional<std::string> gpu::nccl_in_words() {
  turn_multicast_off();
  int loaded = 0;
  check_nccl(ncclGetVersion(&loaded), "ncclGetVersion");
  return fmt::format("{}, built with {}, NVLink multicast off", version_text(loaded),
                     version_text(NCCL_VERSION_CODE));
}

}  // namespace ladder
