// What a rung needs besides plain CUDA: launch(), DeviceArray and dynamic_shared(), with one
// meaning under nvcc and under the host compiler.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "compare/backend.hpp"
#include "compare/register.hpp"

namespace ladder {

// So many along x, y and z. A number is so many along x; a dim3 will do too.
struct Extent {
  unsigned x = 1, y = 1, z = 1;

  constexpr Extent() = default;
  template <std::convertible_to<unsigned> Number>
  constexpr Extent(Number along_x) : x(static_cast<unsigned>(along_x)) {}
  constexpr Extent(unsigned along_x, unsigned along_y, unsigned along_z = 1)
      : x(along_x), y(along_y), z(along_z) {}
  template <class Dim3>
  requires requires(const Dim3& extent) { extent.x + extent.y + extent.z; }
  constexpr Extent(const Dim3& extent) : x(extent.x), y(extent.y), z(extent.z) {}

  constexpr unsigned count() const { return x * y * z; }
};

struct LaunchShape {
  Extent grid;                   // blocks
  Extent block;                  // threads in a block
  std::size_t shared_bytes = 0;  // dynamic shared memory of a block
  // all blocks run at the same time, so that they may wait for each other: at most
  // resident_blocks()
  bool resident = false;
  // neighbouring blocks that run at the same time and reach each other's shared memory: at most 8,
  // on sm_90 or later
  Extent cluster = 1;
  // it may begin while the launch before it in the stream still runs, up to
  // wait_for_launch_before()
  bool early = false;
};

// Device memory of `count` elements for the life of the object. Allocate in the constructor of a
// rung, never while it runs.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t count)
      : data_(count == 0 ? nullptr : backend::allocate(count * sizeof(T))) {}

  T* data() const { return static_cast<T*>(data_.get()); }

 private:
  Memory data_;
};

// The same, 0 at first.
template <class T>
DeviceArray<T> zeros(std::size_t count) {
  DeviceArray<T> all(count);
  if (count > 0) backend::fill(all.data(), 0, count * sizeof(T));
  return all;
}

// An array of each device of a team, by its number. A kernel takes them by value; it reads and
// writes those of other devices as its own.
template <class T>
struct Peers {
  T* of[most_devices];
};

// An array of `count` elements on each device of a team, 0 at first.
template <class T>
class TeamArray {
 public:
  TeamArray(const Team& team, std::size_t count) : arrays_(team.size()) {
    team.each([&](unsigned device, Stream) { arrays_[device] = zeros<T>(count); });
  }

  T* of(unsigned device) const { return arrays_[device].data(); }
  Peers<T> peers() const {
    Peers<T> all{};
    for (unsigned device = 0; device < arrays_.size(); ++device) all.of[device] = of(device);
    return all;
  }

 private:
  std::vector<DeviceArray<T>> arrays_;
};

// Blocks of `per_block` elements that cover n elements; at least one, so that n = 0 is launched
// too.
constexpr unsigned blocks_for(std::size_t n, std::size_t per_block) {
  return n == 0 ? 1U : static_cast<unsigned>((n + per_block - 1) / per_block);
}

// As many, up to `most` for each multiprocessor.
inline unsigned blocks_for(std::size_t n, std::size_t per_block, unsigned most) {
  return std::min(blocks_for(n, per_block), most * backend::multiprocessors());
}

}  // namespace ladder

#ifdef __CUDACC__
#include "compare/cuda/launch.hpp"
#else
#include "compare/emulated/language/launch.hpp"
#endif
