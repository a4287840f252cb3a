// The memory of a backend, as rungs see it. Everything that a backend has to define is on one page:
// compare/worker/backend.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct CUstream_st;  // what cudaStream_t points to

namespace ladder {

// A queue of work on the device: a cudaStream_t on the cuda backend, unused on the others.
struct Stream {
  void* handle = nullptr;
  operator CUstream_st*() const { return static_cast<CUstream_st*>(handle); }  // for <<< >>>
};

// While one of these lives, a rung enqueues a run: in the stream that it was given and in no other,
// and it waits for nothing. Else a GPU could neither time nor capture the run. Where no GPU gives a
// stream, the given one gets a name, by which it can be told from none.
class Enqueuing {
 public:
  explicit Enqueuing(Stream& given) : outer_(std::exchange(now, true)) {
#ifndef __CUDACC__
    if (given.handle == nullptr) given = own_stream();
#endif
  }
  Enqueuing(const Enqueuing&) = delete;
  ~Enqueuing() {
    now = outer_;
  }

  static Stream own_stream() {
    return {&now};
  }

  static inline bool now = false;

 private:
  bool outer_;
};

constexpr unsigned most_devices = 8;  // of a team: as many as one host has, most often

}  // namespace ladder

namespace ladder::backend {

// The device no longer answers this process, for instance after an illegal address: whatever it is
// asked next would fail for no fault of its own.
struct DeviceLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Thrown by both allocate functions. The message says how many bytes were asked for and how many
// are free; the cell is skipped with it.
struct OutOfMemory : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Thrown by a run that does what a GPU can do and this backend cannot: a rung that is not wrong.
// The message says what, and where; the cell is skipped with it.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string_view name();  // "cuda", "emulated" or "host"

// aligned to 256 bytes, as cudaMalloc does; contents undefined
void* allocate(std::size_t bytes);
// page-locked memory of the host, which kernels read and write at the same address
void* allocate_on_host(std::size_t bytes);
void release(void* pointer) noexcept;  // of either kind

// host to device, complete on return
void upload(void* to, const void* from, std::size_t bytes);
// device to host, after the stream's work; complete on return
void download(void* to, const void* from, std::size_t bytes, Stream stream = {});
// complete on return
void fill(void* to, unsigned char value, std::size_t bytes);
// device to device, enqueued
void copy(void* to, const void* from, std::size_t bytes, Stream stream);
void synchronize(Stream stream);

using Bytes = std::span<const std::byte>;
// The checksum of each array (compare/checksum.hpp). All arrays are in the memory of one device.
// The host waits once for all of them: a wait takes longer than the sum of a short array.
std::vector<std::uint64_t> checksums(std::span<const Bytes> arrays);
inline std::uint64_t checksum(Bytes array) {
  return checksums({&array, 1}).front();
}

// Several devices in one process: what one allocates, kernels on all of them can read and write.
unsigned devices();  // so many can work together
// allocations and launches are on this one from here on; at first on 0
void use(unsigned device);
// always the same: its work is in order, and runs beside that of the other devices
Stream stream_of(unsigned device);
// what is enqueued on any of the first so many from here on follows all that was enqueued on all of
// them
void join(unsigned devices);

// Collective calls of the first devices, one for each of `devices`, enqueued in the stream of each:
// what it brings, and where it gets the answer. The two do not overlap. On the cuda backend they
// are calls of NCCL.
struct Exchange {
  const void* from;
  void* to;
};
// each gets the bytes of all, those of the first device first
void all_gather(std::span<const Exchange> devices, std::size_t bytes);
// Each gets the elements of all devices, combined one by one: i32, i64, f32 or f64, by sum,
// product, min or max. The order is the library's.
void all_reduce(std::span<const Exchange> devices, std::size_t elements, std::string_view dtype,
                std::string_view op);

// One device of each of several processes: after join_group() the collective calls of this process
// are of its device 0 and those of the others, in the order of their ranks, and `devices` above has
// one. One process makes the group, and all of them join it, with its name.
std::string new_group();
void join_group(const std::string& group, unsigned rank, unsigned ranks);
// what each process has. Complete on return
void gather_on_host(const void* own, void* all, std::size_t bytes);

// device memory is the host's own, so that a result in the one is in the other
bool is_host_memory();

// Streaming multiprocessors, for rungs that size their grid by the machine. The emulated backend
// always says the same number, so that its counts are the same on every machine.
unsigned multiprocessors();

}  // namespace ladder::backend
