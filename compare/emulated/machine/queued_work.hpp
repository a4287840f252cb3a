// What is enqueued for devices.
#pragma once

#include <cstddef>
#include <functional>
#include <variant>
#include <vector>

#include "compare/emulated/types/grid.hpp"

namespace ladder::emulated {

// Puts to[i] op from[i] in place of to[i], of so many bytes in all.
using Combine = void (*)(void* to, const void* from, std::size_t bytes);

// A copy of as many places as there are: the first is copied, each of the others is combined with
// what is there.
struct QueuedCopy {
  void* to;
  std::vector<const void*> from;
  std::size_t bytes;
  const void* instruction;  // the call returns there
  Combine combine = nullptr;
};
// Devices 0 to `devices` - 1 go on when all of them have come to it.
struct Join {
  unsigned devices, number;
};
// Something that the host does when it is its turn.
using Call = std::function<void()>;
using Work = std::variant<Grid, QueuedCopy, Join, Call>;

// The work of one device, one after the other.
struct Queue {
  unsigned device;
  std::vector<Work> work;
};

}  // namespace ladder::emulated
