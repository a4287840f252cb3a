// Atomics: what they return, what they leave, and that none is lost.
#include <algorithm>
#include <functional>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;

namespace {

// One thread applies each operation to its own word; old values and words are then compared.
template <class T, class F>
__global__ void apply_kernel(F operation, T* word, T* old) {
  *old = operation(word);
}

template <class T>
struct Outcome {
  T old, now;
  bool operator==(const Outcome&) const = default;
};

template <class T, class F>
Outcome<T> outcome(T start, F operation) {
  const auto word = uploaded(std::vector<T>{start});
  const DeviceArray<T> old(1);
  launch(apply_kernel<T, F>, {1, 1}, {}, operation, word.data(), old.data());
  return {downloaded(old, 1)[0], downloaded(word, 1)[0]};
}

}  // namespace

TEST_CASE("atomics return the old value and leave the new") {
  CHECK(outcome(5, [](int* p) { return atomicAdd(p, 7); }) == Outcome<int>{5, 12});
  CHECK(outcome(5U, [](unsigned* p) { return atomicAdd(p, 7U); }) == Outcome<unsigned>{5, 12});
  CHECK(outcome(1ULL << 40, [](unsigned long long* p) { return atomicAdd(p, 1); }) ==
        Outcome<unsigned long long>{1ULL << 40, (1ULL << 40) + 1});
  CHECK(outcome(1.5F, [](float* p) { return atomicAdd(p, 2.25F); }) == Outcome<float>{1.5F, 3.75F});
  CHECK(outcome(1.5, [](double* p) { return atomicAdd(p, 2.25); }) == Outcome<double>{1.5, 3.75});
  CHECK(outcome(5, [](int* p) { return atomicSub(p, 7); }) == Outcome<int>{5, -2});
  CHECK(outcome(5, [](int* p) { return atomicMin(p, -7); }) == Outcome<int>{5, -7});
  CHECK(outcome(5, [](int* p) { return atomicMin(p, 7); }) == Outcome<int>{5, 5});
  CHECK(outcome(5, [](int* p) { return atomicMax(p, 7); }) == Outcome<int>{5, 7});
  CHECK(outcome(-5LL, [](long long* p) { return atomicMax(p, -7LL); }) ==
        Outcome<long long>{-5, -5});
  CHECK(outcome(0xf0U, [](unsigned* p) { return atomicAnd(p, 0x3cU); }) ==
        Outcome<unsigned>{0xf0, 0x30});
  CHECK(outcome(0xf0U, [](unsigned* p) { return atomicOr(p, 0x3cU); }) ==
        Outcome<unsigned>{0xf0, 0xfc});
  CHECK(outcome(0xf0U, [](unsigned* p) { return atomicXor(p, 0x3cU); }) ==
        Outcome<unsigned>{0xf0, 0xcc});
  CHECK(outcome(5, [](int* p) { return atomicExch(p, 7); }) == Outcome<int>{5, 7});
  CHECK(outcome(1.5F, [](float* p) { return atomicExch(p, 2.5F); }) == Outcome<float>{1.5F, 2.5F});
  CHECK(outcome(5, [](int* p) { return atomicCAS(p, 5, 7); }) == Outcome<int>{5, 7});
  CHECK(outcome(5, [](int* p) { return atomicCAS(p, 6, 7); }) == Outcome<int>{5, 5});
  CHECK(outcome(2U, [](unsigned* p) { return atomicInc(p, 3); }) == Outcome<unsigned>{2, 3});
  CHECK(outcome(3U, [](unsigned* p) { return atomicInc(p, 3); }) == Outcome<unsigned>{3, 0});
  CHECK(outcome(3U, [](unsigned* p) { return atomicDec(p, 9); }) == Outcome<unsigned>{3, 2});
  CHECK(outcome(0U, [](unsigned* p) { return atomicDec(p, 9); }) == Outcome<unsigned>{0, 9});
  CHECK(outcome(12U, [](unsigned* p) { return atomicDec(p, 9); }) == Outcome<unsigned>{12, 9});
}

namespace {

// The usual way to build an atomic that CUDA does not have.
__global__ void product_kernel(unsigned* word) {
  unsigned seen = *word;
  for (;;) {
    const unsigned old = atomicCAS(word, seen, seen * 3);
    if (old == seen) return;
    seen = old;
  }
}

// GCC's own atomics, which std::atomic_ref is made of.
__global__ void builtins_kernel(unsigned* words) {
  __atomic_fetch_add(words + 0, 1U, __ATOMIC_RELAXED);
  __atomic_fetch_xor(words + 1, 1U << threadIdx.x, __ATOMIC_SEQ_CST);
  __atomic_store_n(words + 2, 9U, __ATOMIC_RELEASE);
  unsigned expected = threadIdx.x;
  while (!__atomic_compare_exchange_n(words + 3, &expected, expected + 1, true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST)) {
  }
}

}  // namespace

TEST_CASE("a compare-and-swap loop loses nothing under any schedule") {
  unsigned expected = 1;
  for (int k = 0; k < 256; ++k) expected *= 3;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Schedule schedule(seed);
    const auto word = uploaded(std::vector<unsigned>{1});
    launch(product_kernel, {2, 128}, {}, word.data());
    CHECK(downloaded(word, 1)[0] == expected);
  }
}

TEST_CASE("the compiler's atomics are atomics too") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Schedule schedule(seed);
    const auto words = uploaded(std::vector<unsigned>{0, 0, 0, 0});
    const emulated::Counts counts = emulated::count([&] {
      launch(builtins_kernel, {1, 32}, {}, words.data());
    });
    CHECK(downloaded(words, 4) == std::vector<unsigned>{32, 0xffffffff, 9, 32});
    CHECK(counts.atomics >= 4 * 32);
    CHECK(counts.loads.requests + counts.stores.requests == 0);
  }
}
