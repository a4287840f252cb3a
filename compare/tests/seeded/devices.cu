// Mistakes with several devices. Where there is one GPU only, nothing runs.
#include "compare/tests/seeded/launched.hpp"

namespace ladder::seeded {
namespace {

constexpr unsigned devices = 2, threads = 64, rounds = 4;

enum class Slip {
  none,
  no_fence,
  release_of_device_scope,
  acquire_of_device_scope,
  flag_before_value,
  plain_flag,
  flag_of_device_scope,
  flag_of_system_scope,
  no_epoch,
  slot_still_read
};

template <Slip slip>
__device__ void announce(unsigned* flag, unsigned round) {
  if (slip == Slip::release_of_device_scope) __threadfence();
  else if (slip != Slip::no_fence) __threadfence_system();
  if (slip == Slip::plain_flag) *flag = round;
  else if (slip == Slip::flag_of_device_scope) atomicExch(flag, round);
  else if (slip == Slip::flag_of_system_scope) atomicExch_system(flag, round);
  else *static_cast<volatile unsigned*>(flag) = slip == Slip::no_epoch ? 1 : round;
}

template <Slip slip>
__device__ void wait_for(const volatile unsigned* flag, unsigned round) {
  while (*flag < (slip == Slip::no_epoch ? 1 : round)) {
  }
  if (slip == Slip::acquire_of_device_scope) __threadfence();
  else __threadfence_system();
}

// In each round two devices swap what they have, and add.
template <Slip slip>
__global__ void swap_kernel(const int* in, int* mine, unsigned* my_flag, const int* theirs,
                            const unsigned* their_flag, int* out) {
  const unsigned t = threadIdx.x;
  int sum = in[t];
  for (unsigned round = 1; round <= rounds; ++round) {
    const unsigned slot = slip == Slip::slot_still_read ? t : round % 2 * threads + t;
    if (slip == Slip::flag_before_value && t == 0) announce<slip>(my_flag, round);
    mine[slot] = sum;
    __syncthreads();
    if (slip != Slip::flag_before_value && t == 0) announce<slip>(my_flag, round);
    if (t == 0) wait_for<slip>(their_flag, round);
    __syncthreads();
    sum += theirs[slot];
  }
  out[t] = sum;
}

template <class T>
struct OnEach {
  explicit OnEach(std::size_t count) {
    for (unsigned device = 0; device < devices; ++device) {
      backend::use(device);
      arrays[device] = uploaded(std::vector<T>(count));
    }
    backend::use(0);
  }
  T* operator[](unsigned device) const { return arrays[device].data(); }

  DeviceArray<T> arrays[devices];
};

template <Slip slip>
void swap_between() {
  if (backend::devices() < devices) return;
  const auto in = uploaded(counted<int>(threads));
  const OnEach<int> slots(2 * threads), out(threads);
  const OnEach<unsigned> flags(1);
  for (unsigned device = 0; device < devices; ++device) {
    const unsigned other = 1 - device;
    backend::use(device);
    launch(swap_kernel<slip>, {1, threads}, backend::stream_of(device), in.data(), slots[device],
           flags[device], slots[other], flags[other], out[device]);
  }
  backend::use(0);
  for (unsigned device = 0; device < devices; ++device) {
    backend::synchronize(backend::stream_of(device));
    const auto sums = downloaded(out.arrays[device], threads);
    for (unsigned t = 0; t < threads; ++t) expect(sums[t] == static_cast<int>(t << rounds));
  }
}

template <bool of_system>
__global__ void count_kernel(unsigned* count) {
  if (of_system) atomicAdd_system(count, 1U);
  else atomicAdd(count, 1U);
}

template <bool of_system>
void count_together() {
  if (backend::devices() < devices) return;
  const auto count = uploaded(std::vector<unsigned>(1));
  for (unsigned device = 0; device < devices; ++device) {
    backend::use(device);
    launch(count_kernel<of_system>, {2, threads}, backend::stream_of(device), count.data());
  }
  backend::use(0);
  for (unsigned device = 0; device < devices; ++device)
    backend::synchronize(backend::stream_of(device));
  expect(downloaded(count, 1).front() == 2 * threads * devices);
}

__global__ void fill_kernel(int* out) {
  out[threadIdx.x] = static_cast<int>(threadIdx.x);
}

// The queue of device 0 fetches what device 1 makes.
template <bool right>
void fetch() {
  if (backend::devices() < devices) return;
  const OnEach<int> values(threads);
  backend::use(1);
  launch(fill_kernel, {1, threads}, backend::stream_of(1), values[1]);
  backend::use(0);
  if (right) backend::join(devices);
  backend::copy(values[0], values[1], threads * sizeof(int), backend::stream_of(0));
  for (unsigned device = 0; device < devices; ++device)
    backend::synchronize(backend::stream_of(device));
  expect(!right || downloaded(values.arrays[0], threads) == counted<int>(threads));
}

}  // namespace

void add_mistakes_of_devices(std::vector<Mistake>& mistakes) {
  constexpr const char *race = "race", *not_ordered = "nothing orders the two devices";
  constexpr const char* too_narrow = "an atomic of device scope is none to another device";
  const auto add = [&](auto name, auto kind, auto words, auto wrong, auto right) {
    mistakes.push_back({name, kind, words, {}, wrong, right, true, devices});
  };
  const auto swap = swap_between<Slip::none>;
  add("devices_no_fence", race, not_ordered, swap_between<Slip::no_fence>, swap);
  add("devices_release_of_device_scope", race, not_ordered,
      swap_between<Slip::release_of_device_scope>, swap);
  add("devices_acquire_of_device_scope", race, "a fence of the system is missing",
      swap_between<Slip::acquire_of_device_scope>, swap);
  add("devices_flag_before_value", race, not_ordered, swap_between<Slip::flag_before_value>, swap);
  add("devices_plain_flag", race, not_ordered, swap_between<Slip::plain_flag>, swap);
  add("devices_flag_of_device_scope", race, too_narrow, swap_between<Slip::flag_of_device_scope>,
      swap_between<Slip::flag_of_system_scope>);
  add("devices_flag_without_epoch", "race or wrong answer", "", swap_between<Slip::no_epoch>, swap);
  add("devices_slot_still_read", "race or wrong answer", "", swap_between<Slip::slot_still_read>,
      swap);
  add("devices_atomic_of_device_scope", race, too_narrow, count_together<false>,
      count_together<true>);
  add("devices_copy_without_join", race, "nothing orders the two queues", fetch<false>,
      fetch<true>);
}

}  // namespace ladder::seeded
