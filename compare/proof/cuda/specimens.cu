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
#include <functional>
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

class Kernel final : public Specimen {
 public:
  Kernel(const std::string& kind, double amount) : elapsed_(1), result_(1) {
    const auto count = static_cast<unsigned>(std::lround(amount));
    const auto duration = static_cast<std::uint64_t>(std::llround(amount * 1e3));
    if (kind == "spin")
      enqueue_ = [this, duration](Stream stream) {
        launch(spin_kernel, {1, 1}, stream, duration, elapsed_.data());
      };
    else if (kind == "repeat")
      enqueue_ = [this, count](Stream stream) {
        launch(repeat_kernel, {1, 1}, stream, count, elapsed_.data(), result_.data());
      };
    else if (kind == "launch")
      enqueue_ = [count](Stream stream) {
        for (unsigned k = 0; k < count; ++k) launch(empty_kernel, {1, 1}, stream);
      };
    else throw std::invalid_argument("there is no specimen " + kind + ": spin, repeat or launch");
    knows_its_time_ = kind != "launch";
  }

  void run(Stream stream) override { enqueue_(stream); }

  std::optional<double> own_us() override {
    if (!knows_its_time_) return {};
    std::uint64_t ns = 0;
    backend::download(&ns, elapsed_.data(), sizeof ns);
    return static_cast<double>(ns) / 1e3;
  }

 private:
  DeviceArray<std::uint64_t> elapsed_;  // nanoseconds
  DeviceArray<std::uint32_t> result_;   // of the repeated work
  std::function<void(Stream)> enqueue_;
  bool knows_its_time_ = false;
};

}  // namespace

void Specimen::run_to_host(Stream stream, void*) {
  run(stream);
  backend::synchronize(stream);
}

std::unique_ptr<Specimen> make_specimen(const std::string& kind, double amount) {
  return std::make_unique<Kernel>(kind, amount);
}

}  // namespace ladder::proof
