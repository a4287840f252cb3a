// Spins end by %globaltimer, the GPU's timer of nanoseconds, and not by clock64: a multiprocessor's
// clock changes with power and heat, and a spin of so many cycles would have no known duration. The
// timer's own step, 32 ns on some GPUs and 1.024 us on others, shifts all spins alike, which is in
// the intercept. That it runs as fast as the host's clock is seen where long spins are timed by
// that one.
//
// The repeated work is the other way round: so many dependent instructions, whatever time they
// take, and the kernel says how long it took.
#include "compare/proof/cuda/specimens.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "compare/launch.hpp"

namespace ladder::proof {
namespace {

// some 100 us: a hundredth of it, the limit, is more than two events fail to tell apart
constexpr unsigned rounds_of_one_piece = 8192;

__device__ std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void spin_kernel(std::uint64_t duration, std::uint64_t* elapsed) {
  const std::uint64_t start = nanoseconds();
  std::uint64_t now = start;
  while (now - start < duration) now = nanoseconds();
  *elapsed = now - start;
}

// Each step of a xorshift generator needs the one before it, and no compiler knows a shorter way to
// the last.
__global__ void repeat_kernel(unsigned pieces, std::uint64_t* elapsed, std::uint32_t* result) {
  const std::uint64_t start = nanoseconds();
  auto x = static_cast<std::uint32_t>(start);  // no step can be taken before the timer was read ..
  for (unsigned piece = 0; piece < pieces; ++piece) {
    for (unsigned round = 0; round < rounds_of_one_piece; ++round) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
    }
  }
  *result = x;  // .. nor after it is read again
  __threadfence();
  *elapsed = nanoseconds() - start;
}

__global__ void empty_kernel() {}

double microseconds(const DeviceArray<std::uint64_t>& elapsed) {
  std::uint64_t ns = 0;
  backend::download(&ns, elapsed.data(), sizeof ns);
  return static_cast<double>(ns) / 1e3;
}

class Spin final : public Specimen {
 public:
  explicit Spin(double us)
      : nanoseconds_(static_cast<std::uint64_t>(std::llround(us * 1e3))), elapsed_(1) {}

  void run(Stream stream) override {
    launch(spin_kernel, {1, 1}, stream, nanoseconds_, elapsed_.data());
  }

  std::optional<double> own_us() override { return microseconds(elapsed_); }

 private:
  std::uint64_t nanoseconds_;
  DeviceArray<std::uint64_t> elapsed_;
};

class Repeat final : public Specimen {
 public:
  explicit Repeat(double pieces)
      : pieces_(static_cast<unsigned>(std::lround(pieces))), elapsed_(1), result_(1) {}

  void run(Stream stream) override {
    launch(repeat_kernel, {1, 1}, stream, pieces_, elapsed_.data(), result_.data());
  }

  std::optional<double> own_us() override { return microseconds(elapsed_); }

 private:
  unsigned pieces_;
  DeviceArray<std::uint64_t> elapsed_;
  DeviceArray<std::uint32_t> result_;
};

class Launches final : public Specimen {
 public:
  explicit Launches(double count) : count_(static_cast<unsigned>(std::lround(count))) {}

  void run(Stream stream) override {
    for (unsigned k = 0; k < count_; ++k) launch(empty_kernel, {1, 1}, stream);
  }

 private:
  unsigned count_;
};

}  // namespace

void Specimen::run_to_host(Stream stream, void*) {
  run(stream);
  backend::synchronize(stream);
}

std::unique_ptr<Specimen> make_specimen(const std::string& kind, double amount) {
  if (kind == "spin") return std::make_unique<Spin>(amount);
  if (kind == "repeat") return std::make_unique<Repeat>(amount);
  if (kind == "launch") return std::make_unique<Launches>(amount);
  throw std::invalid_argument("there is no specimen " + kind + ": spin, repeat or launch");
}

}  // namespace ladder::proof
