// Loads and stores with a word for the caches, atomics with a scope, fences, and clocks.
#include <cstring>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

template <class T>
__global__ void copy_kernel(const T* in, T* out) {
  const unsigned k = threadIdx.x;
  if (k == 0) __stwb(out + k, __ldca(in + k));
  if (k == 1) __stcg(out + k, __ldcg(in + k));
  if (k == 2) __stcs(out + k, __ldcs(in + k));
  if (k == 3) __stwt(out + k, __ldcv(in + k));
  if (k == 4) out[k] = __ldlu(in + k);
  if (k == 5) out[k] = __ldg(in + k);
}

template <class T>
bool is_copied(T value) {
  std::vector<T> in(6);
  for (unsigned k = 0; k < 6; ++k) {
    in[k] = value;
    reinterpret_cast<unsigned char*>(&in[k])[0] = static_cast<unsigned char>(k);
  }
  const auto out = answer_each(copy_kernel<T>, in);
  return std::memcmp(out.data(), in.data(), 6 * sizeof(T)) == 0;
}

__global__ void scoped_kernel(const int* in, int* out) {
  const int x = in[0];  // 5
  atomicAdd_block(&out[0], x);
  atomicAdd_system(&out[0], x);
  atomicSub_block(&out[1], x);
  atomicMax_system(&out[2], x);
  atomicMin_block(&out[3], -x);
  atomicOr_block(&out[4], x);
  atomicXor_system(&out[4], x + 2);
  atomicAnd_block(&out[4], 3);
  atomicExch_system(&out[5], x);
  atomicCAS_block(&out[5], x, x + 1);
  atomicCAS_system(&out[5], x, x + 2);
  auto* const count = reinterpret_cast<unsigned*>(&out[6]);
  atomicInc_block(count, 9U);
  atomicInc_system(count, 9U);
  atomicDec_block(count, 9U);
  __threadfence_system();
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void add_vectors_kernel(const float4* in, float4* out) {
  atomicAdd(out, in[0]);
  atomicAdd(reinterpret_cast<float2*>(out), make_float2(in[0].z, in[0].w));
}
#else
__global__ void add_vectors_kernel(const float4*, float4*) {}
#endif

__global__ void clock_kernel(const int*, int* out) {
  const long long start = clock64();
  const auto short_start = clock();
  while (clock64() - start < 1000) {
  }
  out[0] = clock64() - start >= 1000;
  out[1] = clock() != short_start;
}

}  // namespace

TEST_CASE("loads and stores with a word for the caches move what they are given") {
  CHECK(is_copied<signed char>(1));
  CHECK(is_copied<unsigned short>(1));
  CHECK(is_copied(1));
  CHECK(is_copied(1LL));
  CHECK(is_copied(1.5F));
  CHECK(is_copied(1.5));
  CHECK(is_copied(make_uchar4(1, 2, 3, 4)));
  CHECK(is_copied(make_short2(1, 2)));
  CHECK(is_copied(make_float2(1, 2)));
  CHECK(is_copied(make_uint4(1, 2, 3, 4)));
  CHECK(is_copied(make_double2(1, 2)));
}

TEST_CASE("atomics with a scope") {
  CHECK(answer(scoped_kernel, {1, 1}, {5}, 7) == std::vector<int>{10, -5, 5, -5, 2, 6, 1});
}

TEST_CASE("atomic additions of vectors") {
  const auto sum = answer(add_vectors_kernel, {1, 3}, {make_float4(1, 2, 3, 4)}, 1)[0];
  CHECK((sum.x == 12 && sum.y == 18 && sum.z == 9 && sum.w == 12));
}

TEST_CASE("clocks advance") {
  CHECK(answer(clock_kernel, {1, 32}, {0}, 2) == std::vector<int>{1, 1});
}
