// Vector types and qualifiers: their sizes and alignments are those of the table in the CUDA
// Programming Guide, "Built-in Vector Types".
#include <device_launch_parameters.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <type_traits>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

template <class T, std::size_t bytes, std::size_t alignment>
constexpr bool is_laid_out = sizeof(T) == bytes && alignof(T) == alignment;

#define CHECK_FAMILY(name, bytes)                                \
  static_assert(is_laid_out<name##1, bytes, bytes>);             \
  static_assert(is_laid_out<name##2, 2 * (bytes), 2 * (bytes)>); \
  static_assert(is_laid_out<name##3, 3 * (bytes), bytes>);       \
  static_assert(sizeof(decltype(make_##name##3(1, 2, 3))) == sizeof(name##3))
#define CHECK_FOUR(name, bytes, alignment) static_assert(is_laid_out<name, bytes, alignment>)
CHECK_FAMILY(char, 1);
CHECK_FAMILY(uchar, 1);
CHECK_FAMILY(short, 2);
CHECK_FAMILY(ushort, 2);
CHECK_FAMILY(int, 4);
CHECK_FAMILY(uint, 4);
CHECK_FAMILY(float, 4);
CHECK_FAMILY(long, 8);
CHECK_FAMILY(ulong, 8);
CHECK_FAMILY(longlong, 8);
CHECK_FAMILY(ulonglong, 8);
CHECK_FAMILY(double, 8);
CHECK_FOUR(char4, 4, 4);
CHECK_FOUR(ushort4, 8, 8);
CHECK_FOUR(int4, 16, 16);
CHECK_FOUR(float4, 16, 16);

struct __align__(16) Wide {
  float x;
};
static_assert(sizeof(Wide) == 16);
static_assert(std::is_same_v<decltype(threadIdx.x), decltype(uint3::x)>);

__managed__ int managed = 3;
__constant__ float constant[2] = {0.5F, 0.25F};
__device__ __noinline__ int twice(int x) {
  return 2 * x;
}
__device__ __forceinline__ int thrice(int x) {
  return 3 * x;
}

// The grid's constant is a parameter that nobody copies.
__global__ void qualifiers_kernel(const __grid_constant__ char4 bytes, int* out) {
  const dim3 block = blockDim, one;
  const uint3 where = dim3(threadIdx);
  out[0] = twice(bytes.w) + thrice(managed);
  out[1] = static_cast<int>(block.x * 100 + block.y * 10 + one.z + where.x);
  out[2] = static_cast<int>(100 * (constant[0] + constant[1]));
}

__global__ void reverse_kernel(const float4* in, float4* out) {
  const float4 v = in[threadIdx.x];
  out[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
}

}  // namespace

TEST_CASE("qualifiers, and dim3 with its defaults") {
  const auto out = uploaded(std::vector<int>(3));
  launch(qualifiers_kernel, {1, 1}, {}, make_char4(1, 2, 3, -4), out.data());
  backend::synchronize({});
  CHECK(downloaded(out, 3) == std::vector<int>{1, 111, 75});
  const dim3 plane(4, 2);
  CHECK((plane.x == 4 && plane.y == 2 && plane.z == 1));
}

TEST_CASE("vectors are loaded and stored as one") {
  const auto out = answer_each(reverse_kernel, {make_float4(1, 2, 3, 4), make_float4(5, 6, 7, 8)});
  CHECK((out[0].x == 4 && out[0].w == 1 && out[1].y == 7 && out[1].z == 6));
}
