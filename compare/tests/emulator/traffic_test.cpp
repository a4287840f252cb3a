// Counted traffic of global memory, to the last byte, against what the hardware would need: 32
// lanes to a request, 32 bytes to a sector.
#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/counts.hpp"

using namespace ladder;
using Direction = emulated::Counts::Direction;

namespace Catch {
template <>
struct StringMaker<Direction> {
  static std::string convert(const Direction& d) {
    return std::to_string(d.bytes) + " bytes, " + std::to_string(d.requests) + " requests, " +
           std::to_string(d.sectors) + " sectors, " + std::to_string(d.lanes) + " lanes";
  }
};
}  // namespace Catch

namespace {

template <class T>
__global__ void copy_kernel(const T* in, T* out, unsigned stride) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  out[i] = in[i];
}

struct alignas(16) Four {
  float element[4];
};

}  // namespace

TEST_CASE("coalesced: a warp of 4-byte elements is one request of 4 sectors") {
  const DeviceArray<float> in(512), out(512);
  const auto counts = counts_of(copy_kernel<float>, {2, 256}, in.data(), out.data(), 1);
  CHECK(counts.loads == Direction{2048, 16, 64, 512});
  CHECK(counts.stores == Direction{2048, 16, 64, 512});
  CHECK(counts.launches == 1);
  CHECK(counts.blocks == 2);
  CHECK(counts.atomics == 0);
  CHECK(counts.barriers == 0);
}

TEST_CASE("1-, 2- and 8-byte elements") {
  const DeviceArray<double> in(64), out(64);
  CHECK(counts_of(copy_kernel<double>, {1, 64}, in.data(), out.data(), 1).loads ==
        Direction{512, 2, 16, 64});
  const auto* bytes = reinterpret_cast<const char*>(in.data());
  CHECK(
      counts_of(copy_kernel<char>, {1, 64}, bytes, reinterpret_cast<char*>(out.data()), 1).loads ==
      Direction{64, 2, 2, 64});
  const auto* shorts = reinterpret_cast<const short*>(in.data());
  CHECK(counts_of(copy_kernel<short>, {1, 64}, shorts, reinterpret_cast<short*>(out.data()), 1)
            .stores == Direction{128, 2, 4, 64});
}

TEST_CASE("strided: lanes apart by 2, 8 and 100 elements need 8, 32 and 32 sectors") {
  const DeviceArray<float> in(3200), out(3200);
  CHECK(counts_of(copy_kernel<float>, {1, 32}, in.data(), out.data(), 2).loads ==
        Direction{128, 1, 8, 32});
  CHECK(counts_of(copy_kernel<float>, {1, 32}, in.data(), out.data(), 8).loads ==
        Direction{128, 1, 32, 32});
  CHECK(counts_of(copy_kernel<float>, {1, 32}, in.data(), out.data(), 100).loads ==
        Direction{128, 1, 32, 32});
  CHECK(counts_of(copy_kernel<float>, {1, 32}, in.data(), out.data(), 0).loads ==
        Direction{4, 1, 1, 32});
}

TEST_CASE("misaligned: a warp that starts within a sector touches one more") {
  const DeviceArray<float> in(100), out(100);
  const auto counts = counts_of(copy_kernel<float>, {1, 32}, in.data() + 1, out.data() + 8, 1);
  CHECK(counts.loads == Direction{128, 1, 5, 32});
  CHECK(counts.stores == Direction{128, 1, 4, 32});
}

TEST_CASE("a 16-byte vector is one access, whichever way it is written") {
  const DeviceArray<Four> in(64), out(64);
  const auto counts = counts_of(copy_kernel<Four>, {1, 64}, in.data(), out.data(), 1);
  CHECK(counts.loads == Direction{1024, 2, 32, 64});
  CHECK(counts.stores == Direction{1024, 2, 32, 64});
  const auto* float4s = reinterpret_cast<const float4*>(in.data());
  CHECK(counts_of(copy_kernel<float4>, {1, 64}, float4s, reinterpret_cast<float4*>(out.data()), 1)
            .loads == Direction{1024, 2, 32, 64});
  const auto* double2s = reinterpret_cast<const double2*>(in.data());
  CHECK(
      counts_of(copy_kernel<double2>, {1, 64}, double2s, reinterpret_cast<double2*>(out.data()), 1)
          .loads == Direction{1024, 2, 32, 64});
}

namespace {

__global__ void vector_sum_kernel(const Four* in, float* out) {
  Four loaded[2];
  for (unsigned k = 0; k < 2; ++k) loaded[k] = in[threadIdx.x + 32 * k];
  float sum = 0;
  for (const Four& vector : loaded) {
    for (const float element : vector.element) sum += element;
  }
  out[threadIdx.x] = sum;
}

// The compiler must not take the vector apart into four loads.
__global__ void members_kernel(const float4* in, float* out) {
  const float4 loaded = in[threadIdx.x];
  out[threadIdx.x] = loaded.x + loaded.y + loaded.z + loaded.w;
}

// By value. A struct of a call that is not inlined is not seen. At -O1 alone, GCC does not inline
// plus(), nor dot() where __noinline__ means anything.
__device__ Four plus(Four a, Four b) {
  Four sum = a;
  for (unsigned k = 0; k < 4; ++k)
    sum.element[k] += b.element[k] > 0 ? b.element[k] : b.element[3 - k] * a.element[k];
  return sum;
}
__device__ __noinline__ float dot(Four a, Four b) {
  float sum = 0;
  for (unsigned k = 0; k < 4; ++k) sum += a.element[k] * b.element[k];
  return sum;
}
struct Plus {
  template <class T>
  __device__ T operator()(const T& a, T b) const {
    return plus(a, b);
  }
};

__global__ void calls_kernel(const Four* in, Four* out, float* dots) {
  const unsigned i = threadIdx.x;
  out[i] = plus(in[i], in[i + 32]);
  out[i + 32] = Plus()(in[i + 64], in[i + 96]);
  dots[i] = dot(in[i + 128], in[i + 160]);
  dots[i + 32] = dot(in[i + 192], in[i + 224]);
}

__global__ void every_kth_kernel(const float* in, float* out, unsigned k) {
  if (threadIdx.x % k == 0) out[threadIdx.x] = in[threadIdx.x];
}

}  // namespace

TEST_CASE("vectors kept in registers are loaded once") {
  const DeviceArray<Four> in(64);
  const DeviceArray<float> out(32);
  const auto counts = counts_of(vector_sum_kernel, {1, 32}, in.data(), out.data());
  CHECK(counts.loads == Direction{1024, 2, 32, 64});
  const auto* float4s = reinterpret_cast<const float4*>(in.data());
  CHECK(counts_of(members_kernel, {1, 32}, float4s, out.data()).loads == Direction{512, 1, 16, 32});
  CHECK(counts.stores == Direction{128, 1, 4, 32});
}

TEST_CASE("a vector that a call takes from memory, or returns into memory, is one access") {
  const DeviceArray<Four> in(256), out(64);
  const DeviceArray<float> dots(64);
  const auto counts = counts_of(calls_kernel, {1, 32}, in.data(), out.data(), dots.data());
  CHECK(counts.loads == Direction{4096, 8, 128, 256});
  CHECK(counts.stores == Direction{1024 + 256, 4, 40, 128});
}

TEST_CASE("divergent: every 2nd, 4th, .. 64th thread") {
  const DeviceArray<float> in(128), out(128);
  const auto loads = [&](unsigned k) {
    return counts_of(every_kth_kernel, {1, 128}, in.data(), out.data(), k).loads;
  };
  CHECK(loads(2) == Direction{256, 4, 16, 64});
  CHECK(loads(4) == Direction{128, 4, 16, 32});
  CHECK(loads(8) == Direction{64, 4, 16, 16});
  CHECK(loads(16) == Direction{32, 4, 8, 8});
  CHECK(loads(32) == Direction{16, 4, 4, 4});
  CHECK(loads(64) == Direction{8, 2, 2, 2});
}

namespace {

// Each lane makes lane + 1 rounds: requests of 32, 31, .. 1 lanes.
__global__ void triangle_kernel(const float* in, float* out) {
  float sum = 0;
  for (unsigned round = 0; round <= threadIdx.x; ++round) sum += in[32 * round + threadIdx.x];
  out[threadIdx.x] = sum;
}

enum class Meeting { warp, block };

// Odd lanes alone, then, after all have met, all: two requests of the one instruction, not two of
// mixed rounds. (`rounds` is 2, which the compiler must not know: it would write both rounds out.)
template <Meeting meeting>
__global__ void regrouped_kernel(const float* in, unsigned rounds, float* out) {
  float sum = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    if (round == 1 || threadIdx.x % 2 == 1) sum += in[32 * round + threadIdx.x];
    if (meeting == Meeting::warp) __syncwarp();
    else __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void after_return_kernel(const float* in, float* out) {
  if (threadIdx.x >= 8) return;
  __syncthreads();
  for (unsigned round = 0; round < 3; ++round)
    out[8 * round + threadIdx.x] = in[8 * round + threadIdx.x];
}

}  // namespace

TEST_CASE("lanes that leave a loop early leave its requests") {
  const DeviceArray<float> in(1024), out(32);
  const auto counts = counts_of(triangle_kernel, {1, 32}, in.data(), out.data());
  CHECK(counts.loads.requests == 32);
  CHECK(counts.loads.lanes == 33 * 16);
  CHECK(counts.loads.bytes == 4 * 33 * 16);
}

TEST_CASE("a meeting separates what one instruction did before and after") {
  const DeviceArray<float> in(64), out(32);
  CHECK(counts_of(regrouped_kernel<Meeting::warp>, {1, 32}, in.data(), 2, out.data()).loads ==
        Direction{192, 2, 8, 48});
  CHECK(counts_of(regrouped_kernel<Meeting::block>, {1, 32}, in.data(), 2, out.data()).loads ==
        Direction{192, 2, 8, 48});
}

TEST_CASE("threads that have returned belong to no request") {
  const DeviceArray<float> in(24), out(24);
  CHECK(counts_of(after_return_kernel, {1, 64}, in.data(), out.data()).loads ==
        Direction{96, 3, 3, 24});
}

namespace {

// Longer than what is kept open at a time.
__global__ void long_loop_kernel(const float* in, unsigned n, float* out) {
  float sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  out[threadIdx.x] = sum;
}

}  // namespace

TEST_CASE("long loops are counted exactly") {
  const unsigned n = 1 << 20;
  const auto in = uploaded(std::vector<float>(n, 1));
  const DeviceArray<float> out(64);
  for (const unsigned threads : {1U, 32U, 64U}) {
    const auto loads = emulated::count([&] {
                         launch(long_loop_kernel, {1, threads}, {}, in.data(), n, out.data());
                       }).loads;
    CHECK(loads == Direction{4 * n, threads == 1 ? n : n / 32, threads == 1 ? n : n / 8, n});
  }
}

namespace {

__global__ void global_tree_kernel(float* data, float* partials) {
  float* slice = data + blockIdx.x * blockDim.x;
  const unsigned t = threadIdx.x;
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) slice[t] += slice[t + stride];
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = slice[0];
}

__global__ void shared_tree_kernel(const float* data, float* partials) {
  float* tile = dynamic_shared<float>();
  const unsigned t = threadIdx.x;
  tile[t] = data[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = tile[0];
}

}  // namespace

TEST_CASE(
    "a tree in global memory moves 3071 words for a block of 1024, one in shared memory 1025: note "
    "N3's factor of three") {
  const std::size_t n = 1 << 16;
  const unsigned blocks = n / 1024;
  const auto data = uploaded(std::vector<float>(n, 1));
  const DeviceArray<float> partials(blocks);
  const auto in_global =
      counts_of(global_tree_kernel, {blocks, 1024}, data.data(), partials.data());
  CHECK(in_global.loads.bytes == 4 * 2047 * blocks);
  CHECK(in_global.stores.bytes == 4 * 1024 * blocks);
  CHECK(in_global.barriers == 10 * blocks);
  CHECK(in_global.barrier_arrivals == 10 * blocks * 1024);
  CHECK(in_global.threads == blocks * 1024);
  const auto in_shared =
      counts_of(shared_tree_kernel, {blocks, 1024, 4096}, data.data(), partials.data());
  CHECK(in_shared.loads == Direction{4 * 1024 * blocks, 32 * blocks, 128 * blocks, 1024 * blocks});
  CHECK(in_shared.stores.bytes == 4 * blocks);
  CHECK(in_shared.barriers == 11 * blocks);
}

namespace {

__global__ void atomics_kernel(unsigned* counters) {
  atomicAdd(counters + threadIdx.x % 4, 1U);
  if (threadIdx.x < 10) atomicMax(counters, 0U);
}

// std::max takes references: an inline function of the library that reads global memory.
__global__ void library_kernel(const int* in, int* out) {
  out[threadIdx.x] = std::max(in[threadIdx.x], in[threadIdx.x + 32]);
}

__global__ void local_kernel(const unsigned* in, unsigned* out) {
  volatile unsigned mine[16];  // local memory: no traffic
  for (unsigned k = 0; k < 16; ++k) mine[k] = k * threadIdx.x;
  out[threadIdx.x] = mine[in[threadIdx.x] % 16];
}

}  // namespace

TEST_CASE("atomics are counted once for each thread, and as nothing else") {
  const auto counters = uploaded(std::vector<unsigned>(4));
  const auto counts = counts_of(atomics_kernel, {2, 64}, counters.data());
  CHECK(counts.atomics == 2 * (64 + 10));
  CHECK(counts.atomic.requests == 2 * (2 + 1));
  CHECK(counts.atomic.on_one_word == 2 * (2 * 8 + 10));  // a warp on 4 words, and 10 lanes on one
  CHECK(counts.loads == Direction{});
  CHECK(counts.stores == Direction{});
}

TEST_CASE("what inline functions of the standard library read is counted") {
  const auto in = uploaded(counted<int>(64));
  const DeviceArray<int> out(32);
  CHECK(counts_of(library_kernel, {1, 32}, in.data(), out.data()).loads.bytes >= 2 * 128);
}

TEST_CASE("local memory is no traffic") {
  const auto in = uploaded(counted<unsigned>(32));
  const DeviceArray<unsigned> out(32);
  const auto counts = counts_of(local_kernel, {1, 32}, in.data(), out.data());
  CHECK(counts.loads == Direction{128, 1, 4, 32});
  CHECK(counts.stores == Direction{128, 1, 4, 32});
}

TEST_CASE("nothing of the host's is counted, and nothing of an earlier count") {
  const DeviceArray<float> in(512), out(512);
  counts_of(copy_kernel<float>, {2, 256}, in.data(), out.data(), 1);
  const auto counts = emulated::count([&] {
    backend::copy(out.data(), in.data(), 512 * sizeof(float), {});
    CHECK(downloaded(out, 512).size() == 512);
  });
  CHECK(counts == emulated::Counts{});
}
