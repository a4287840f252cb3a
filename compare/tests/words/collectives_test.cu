// The collective calls of a team: what each device gets, in whatever order the devices run.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

constexpr unsigned threads = 64;

// out[t] = 100 device + t, of so many threads.
template <class T>
__global__ void number_kernel(T* out, unsigned device, unsigned count) {
  if (threadIdx.x < count) out[threadIdx.x] = static_cast<T>(100 * device + threadIdx.x);
}

template <class T>
__global__ void double_kernel(const T* in, T* out, unsigned count) {
  if (threadIdx.x < count) out[threadIdx.x] = 2 * in[threadIdx.x];
}

template <class T>
std::vector<T> values_of(const TeamArray<T>& array, unsigned device, std::size_t count) {
  std::vector<T> values(count);
  backend::download(values.data(), array.of(device), count * sizeof(T));
  return values;
}

std::vector<unsigned> numbers_of_devices() {
  std::vector<unsigned> numbers{1, 2, 3, 5, 8};
  std::erase_if(numbers, [](unsigned devices) { return devices > backend::devices(); });
  return numbers;
}

// What all devices get by Op of their numbers: 2, 3, ..
template <class T, class Op>
void check_reduced() {
  for (const unsigned devices : numbers_of_devices()) {
    const Team team(devices);
    constexpr std::size_t count = 3;
    const TeamArray<T> from(team, count), to(team, count);
    T expected = Op::template identity<T>();
    for (unsigned device = 0; device < devices; ++device) {
      const auto own = static_cast<T>(device + 2);
      const std::vector<T> brought(count, own);
      backend::upload(from.of(device), brought.data(), count * sizeof(T));
      expected = Op{}(expected, own);
    }
    team.all_reduce<Op>(dtype_of<T>(), count, [&](unsigned device) {
      return backend::Exchange{from.of(device), to.of(device)};
    });
    team.wait();
    for (unsigned device = 0; device < devices; ++device)
      CHECK(values_of(to, device, count) == std::vector<T>(count, expected));
  }
}

template <class T>
void check_every_operator() {
  check_reduced<T, Sum>();
  check_reduced<T, Product>();
  check_reduced<T, Min>();
  check_reduced<T, Max>();
}

}  // namespace

TEST_CASE("all_gather gives each device the bytes of all, in the order of the devices") {
  for (const unsigned devices : numbers_of_devices()) {
    const Team team(devices);
    constexpr unsigned count = 5;
    const TeamArray<std::uint8_t> from(team, count), to(team, devices * count);
    std::vector<std::uint8_t> all;
    team.each([&](unsigned device, Stream stream) {
      launch(number_kernel<std::uint8_t>, {1, threads}, stream, from.of(device), device, count);
      for (unsigned k = 0; k < count; ++k)
        all.push_back(static_cast<std::uint8_t>(100 * device + k));
    });
    team.all_gather(count, [&](unsigned device) {
      return backend::Exchange{from.of(device), to.of(device)};
    });
    team.wait();
    for (unsigned device = 0; device < devices; ++device)
      CHECK(values_of(to, device, devices * count) == all);
  }
}

TEST_CASE(
    "all_reduce combines the elements of all devices, by every operator and of every type that it "
    "has") {
  check_every_operator<std::int32_t>();
  check_every_operator<std::int64_t>();
  check_every_operator<float>();
  check_every_operator<double>();
}

TEST_CASE(
    "a collective call follows what is enqueued before it, and comes before what is enqueued after "
    "it") {
  for (const unsigned devices : numbers_of_devices()) {
    const Team team(devices);
    constexpr unsigned count = 4, rounds = 3;
    const TeamArray<std::int32_t> own(team, count), sum(team, count), out(team, rounds * count);
    const auto exchange = [&](unsigned device) {
      return backend::Exchange{own.of(device), sum.of(device)};
    };
    for (unsigned round = 0; round < rounds; ++round) {  // nobody waits in between
      team.each([&](unsigned device, Stream stream) {
        launch(number_kernel<std::int32_t>, {1, threads}, stream, own.of(device), device + round,
               count);
      });
      team.all_reduce<Sum>("i32", count, exchange);
      team.each([&](unsigned device, Stream stream) {
        launch(double_kernel<std::int32_t>, {1, threads}, stream, sum.of(device),
               out.of(device) + round * count, count);
      });
    }
    team.wait();
    std::vector<std::int32_t> expected;
    for (unsigned round = 0; round < rounds; ++round)
      for (unsigned k = 0; k < count; ++k)
        expected.push_back(
            static_cast<std::int32_t>(2 * devices * (100 * round + 50 * (devices - 1) + k)));
    for (unsigned device = 0; device < devices; ++device)
      CHECK(values_of(out, device, rounds * count) == expected);
  }
}

TEST_CASE("all_reduce refuses an operator or a type that it does not have") {
  const Team team(1);
  const TeamArray<std::int32_t> from(team, 1), to(team, 1);
  const std::vector<backend::Exchange> all{{from.of(0), to.of(0)}};
  CHECK_THROWS_WITH(backend::all_reduce(all, 1, "i32", "compose"),
                    Catch::Matchers::ContainsSubstring("compose"));
  CHECK_THROWS_WITH(backend::all_reduce(all, 1, "u16", "sum"),
                    Catch::Matchers::ContainsSubstring("u16"));
}
