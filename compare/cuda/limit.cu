// The limit of an input on this GPU: of the ways tried here, the one that moves its bytes in the
// shortest time.
#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "compare/cuda/alone_us.hpp"
#include "compare/cuda/check.hpp"
#include "compare/launch.hpp"
#include "compare/worker/backend.hpp"

namespace ladder::probe {
namespace {

using gpu::check;

constexpr unsigned most_inputs = 2;

// The vectors of two inputs, as many of each, and the bytes that are left of both.
struct Inputs {
  const uint4* vectors[most_inputs];
  std::size_t count;
  const unsigned char* rest[2 * most_inputs];
  unsigned rest_bytes[2 * most_inputs];
};

// Bytes before the first vector of an array.
std::size_t bytes_before_vectors(std::span<const std::byte> array) {
  const auto address = reinterpret_cast<std::uintptr_t>(array.data());
  return std::min((sizeof(uint4) - address % sizeof(uint4)) % sizeof(uint4), array.size());
}

Inputs inputs_of(const Movement& movement) {
  if (movement.inputs.empty() || movement.inputs.size() > most_inputs)
    throw std::logic_error("a limit reads one array or two");
  Inputs all{};
  all.count = ~std::size_t{0};
  for (const auto& input : movement.inputs)
    all.count = std::min(all.count, (input.size() - bytes_before_vectors(input)) / sizeof(uint4));
  for (std::size_t k = 0; k < movement.inputs.size(); ++k) {
    const auto& input = movement.inputs[k];
    const std::size_t before = bytes_before_vectors(input);
    all.vectors[k] = reinterpret_cast<const uint4*>(input.data() + before);
    const auto add_rest = [&](std::size_t place, std::span<const std::byte> bytes) {
      all.rest[place] = reinterpret_cast<const unsigned char*>(bytes.data());
      all.rest_bytes[place] = static_cast<unsigned>(bytes.size());
    };
    add_rest(2 * k, input.first(before));
    add_rest(2 * k + 1, input.subspan(before + all.count * sizeof(uint4)));
  }
  return all;
}

enum class Load { cached, streaming };

template <Load how>
__device__ uint4 load(const uint4* from) {
  if constexpr (how == Load::streaming) return __ldcs(from);
  else return __ldcg(from);
}

// Adds the bytes of these words.
__device__ unsigned plus_bytes(unsigned sum, const uint4& words) {
  constexpr unsigned each_once = 0x01010101;
  sum = __dp4a(words.x, each_once, sum), sum = __dp4a(words.y, each_once, sum);
  return __dp4a(words.w, each_once, __dp4a(words.z, each_once, sum));
}

enum class Meets { by_warps, by_blocks };

// Each warp or each block adds its part to one word, and nobody waits for that.
template <unsigned inputs, unsigned at_once, Load how, Meets meets>
__global__ void read_kernel(Inputs in, unsigned* sum) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned mine = 0;
  for (; i + (at_once - 1) * stride < in.count; i += at_once * stride) {
    uint4 loaded[inputs][at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k)
#pragma unroll
      for (unsigned of = 0; of < inputs; ++of)
        loaded[of][k] = load<how>(in.vectors[of] + i + k * stride);
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k)
#pragma unroll
      for (unsigned of = 0; of < inputs; ++of) mine = plus_bytes(mine, loaded[of][k]);
  }
  for (; i < in.count; i += stride)
    for (unsigned of = 0; of < inputs; ++of) mine = plus_bytes(mine, load<how>(in.vectors[of] + i));
  if (blockIdx.x == 0)
    for (unsigned part = 0; part < 2 * inputs; ++part)
      for (unsigned k = threadIdx.x; k < in.rest_bytes[part]; k += blockDim.x)
        mine += in.rest[part][k];
  const auto add_up_warp = [&] {
    for (unsigned offset = 16; offset > 0; offset /= 2)
      mine += __shfl_down_sync(0xffffffff, mine, offset);
  };
  add_up_warp();
  if constexpr (meets == Meets::by_blocks) {
    __shared__ unsigned of_warp[32];
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    mine = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0;
    add_up_warp();
  }
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

// rest: bytes behind the vectors.
template <unsigned at_once, Load how>
__global__ void copy_kernel(const uint4* from, uint4* to, std::size_t count, unsigned rest) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + (at_once - 1) * stride < count; i += at_once * stride) {
    uint4 loaded[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) loaded[k] = load<how>(from + i + k * stride);
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      if constexpr (how == Load::streaming) __stcs(to + i + k * stride, loaded[k]);
      else to[i + k * stride] = loaded[k];
    }
  }
  for (; i < count; i += stride) to[i] = load<how>(from + i);
  if (blockIdx.x == 0 && threadIdx.x < rest)
    reinterpret_cast<unsigned char*>(to + count)[threadIdx.x] =
        reinterpret_cast<const unsigned char*>(from + count)[threadIdx.x];
}

struct Shape {
  unsigned blocks, threads;
};

// One way to move the bytes.
class Way : public Prepared {
 public:
  void restore(Stream) override {}
  void run_to_host(Stream, void*) override { throw std::logic_error("a limit has no host_result"); }
};

class Read final : public Way {
 public:
  using Kernel = void (*)(Inputs, unsigned*);
  Read(Kernel kernel, Shape shape, const Movement& movement)
      : kernel_(kernel),
        shape_(shape),
        inputs_(inputs_of(movement)),
        sum_(reinterpret_cast<unsigned*>(movement.output.data())) {}

  void run(Stream stream) override {
    launch(kernel_, {shape_.blocks, shape_.threads}, stream, inputs_, sum_);
  }

 private:
  Kernel kernel_;
  Shape shape_;
  Inputs inputs_;
  unsigned* sum_;
};

class Copy final : public Way {
 public:
  using Kernel = void (*)(const uint4*, uint4*, std::size_t, unsigned);
  Copy(Kernel kernel, Shape shape, const Movement& movement)
      : kernel_(kernel),
        shape_(shape),
        from_(reinterpret_cast<const uint4*>(movement.inputs.front().data())),
        to_(reinterpret_cast<uint4*>(movement.output.data())),
        count_(movement.output.size() / sizeof(uint4)),
        rest_(static_cast<unsigned>(movement.output.size() % sizeof(uint4))) {}

  void run(Stream stream) override {
    launch(kernel_, {shape_.blocks, shape_.threads}, stream, from_, to_, count_, rest_);
  }

 private:
  Kernel kernel_;
  Shape shape_;
  const uint4* from_;
  uint4* to_;
  std::size_t count_;
  unsigned rest_;
};

// The runtime's own.
class Memcpy final : public Way {
 public:
  explicit Memcpy(const Movement& movement) : movement_(movement) {}

  void run(Stream stream) override {
    check(cudaMemcpyAsync(movement_.output.data(), movement_.inputs.front().data(),
                          movement_.output.size(), cudaMemcpyDeviceToDevice, stream));
  }

 private:
  Movement movement_;
};

using Ways = std::vector<std::unique_ptr<Prepared>>;

// As many blocks as there is work for, and no more than so many for each multiprocessor.
template <class OneWay, class Kernel>
void add(Kernel kernel, unsigned at_once, std::size_t vectors, const Movement& movement,
         Ways& ways) {
  for (const unsigned threads : {256U, 512U, 1024U}) {
    const std::size_t needed =
        std::max<std::size_t>((vectors + threads * at_once - 1) / (threads * at_once), 1);
    std::size_t before = 0;
    for (const unsigned threads_of_multiprocessor : {1024U, 2048U, 8192U}) {
      const std::size_t most =
          std::size_t{threads_of_multiprocessor} / threads * backend::multiprocessors();
      const std::size_t blocks = std::min(needed, most);
      if (blocks == before) continue;
      before = blocks;
      ways.push_back(std::make_unique<OneWay>(kernel, Shape{static_cast<unsigned>(blocks), threads},
                                              movement));
    }
  }
}

template <unsigned inputs>
void add_reads(const Movement& movement, Ways& ways) {
  const std::size_t vectors = inputs_of(movement).count;
  const auto of = [&]<Meets meets>(auto at_once, std::integral_constant<Meets, meets>) {
    constexpr unsigned many = decltype(at_once)::value;
    add<Read>(read_kernel<inputs, many, Load::cached, meets>, many, vectors, movement, ways);
    add<Read>(read_kernel<inputs, many, Load::streaming, meets>, many, vectors, movement, ways);
  };
  constexpr std::integral_constant<Meets, Meets::by_blocks> by_blocks;
  of(std::integral_constant<unsigned, 1>(), std::integral_constant<Meets, Meets::by_warps>());
  of(std::integral_constant<unsigned, 1>(), by_blocks);
  of(std::integral_constant<unsigned, 2>(), by_blocks);
  of(std::integral_constant<unsigned, 4>(), by_blocks);
  of(std::integral_constant<unsigned, 8>(), by_blocks);
}

void add_copies(const Movement& movement, Ways& ways) {
  ways.push_back(std::make_unique<Memcpy>(movement));
  const auto is_aligned = [](const std::byte* array) {
    return reinterpret_cast<std::uintptr_t>(array) % sizeof(uint4) == 0;
  };
  if (!is_aligned(movement.inputs.front().data()) || !is_aligned(movement.output.data())) return;
  const std::size_t vectors = movement.output.size() / sizeof(uint4);
  const auto of = [&](auto at_once) {
    constexpr unsigned many = decltype(at_once)::value;
    add<Copy>(copy_kernel<many, Load::cached>, many, vectors, movement, ways);
    add<Copy>(copy_kernel<many, Load::streaming>, many, vectors, movement, ways);
  };
  of(std::integral_constant<unsigned, 1>());
  of(std::integral_constant<unsigned, 2>());
  of(std::integral_constant<unsigned, 4>());
}

Ways ways_of(const Movement& movement) {
  Ways ways;
  if (movement.copies) add_copies(movement, ways);
  else if (movement.inputs.size() == 1) add_reads<1>(movement, ways);
  else add_reads<2>(movement, ways);
  return ways;
}

// The place of the fastest among them. All run once; the best of these several times more.
std::size_t fastest(const Ways& ways, reports::Cache cache) {
  constexpr std::size_t most_again = 8;
  constexpr unsigned times = 5;
  const auto us = [&](std::size_t way) {
    const auto run = [&] { ways[way]->run(clock::stream()); };
    if (cache == reports::Cache::warm) run();
    clock::treat_cache(cache, 0);
    return clock::alone_us(run);
  };
  std::vector<std::pair<double, std::size_t>> tried;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    us(way);  // the first run loads the kernel
    tried.emplace_back(us(way), way);
  }
  std::ranges::sort(tried);
  tried.resize(std::min(tried.size(), most_again));
  for (auto& [least, way] : tried)
    for (unsigned k = 0; k < times; ++k) least = std::min(least, us(way));
  return std::ranges::min(tried).second;
}

__global__ void byte_sum_kernel(const unsigned char* bytes, std::size_t count, unsigned* sum) {
  unsigned mine = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    mine += bytes[i];
  atomicAdd(sum, mine);
}

std::unique_ptr<Prepared> shortest(const Movement& movement) {
  // by what decides: the sizes and the places of the arrays, and the cache
  using Kind = std::tuple<bool, reports::Cache, std::vector<std::size_t>>;
  static std::map<Kind, std::size_t> known;
  Kind kind{movement.copies, movement.cache, {}};
  const auto add_array = [&](std::span<const std::byte> array) {
    auto& numbers = std::get<2>(kind);
    numbers.push_back(array.size());
    numbers.push_back(reinterpret_cast<std::uintptr_t>(array.data()) % sizeof(uint4));
  };
  for (const auto& input : movement.inputs) add_array(input);
  add_array(movement.output);
  Ways ways = ways_of(movement);
  auto found = known.find(kind);
  if (found == known.end()) found = known.emplace(kind, fastest(ways, movement.cache)).first;
  return std::move(ways.at(found->second));
}

std::uint32_t byte_sum(std::span<const std::byte> array) {
  const DeviceArray<unsigned> sum(1);
  backend::fill(sum.data(), 0, sizeof(unsigned));
  launch(byte_sum_kernel, {8 * backend::multiprocessors(), 256}, clock::stream(),
         reinterpret_cast<const unsigned char*>(array.data()), array.size(), sum.data());
  std::uint32_t result = 0;
  backend::download(&result, sum.data(), sizeof result, clock::stream());
  return result;
}

}  // namespace

const Mover* mover() {
  static constexpr Mover its{shortest, byte_sum};
  return &its;
}

}  // namespace ladder::probe
