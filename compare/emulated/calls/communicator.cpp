// The collective calls of the emulated backend. All queues come together before, since a device
// brings what its queue has computed, and after, since it may then overwrite that. In between each
// device copies what the others bring.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/backend.hpp"
#include "compare/contract.hpp"
#include "compare/emulated/calls/processes.hpp"
#include "compare/emulated/calls/queues.hpp"
#include "compare/emulated/checking/checker.hpp"
#include "compare/emulated/counting/traffic.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/operators.hpp"

namespace ladder::backend {

namespace {

using emulated::arena;
using emulated::QueuedCopy;
namespace processes = emulated::processes;
namespace queues = emulated::queues;

template <class T, class Op>
void combine(void* to, const void* from, std::size_t bytes) {
  auto* const values = static_cast<T*>(to);
  for (std::size_t i = 0; i < bytes / sizeof(T); ++i)
    values[i] = Op{}(values[i], static_cast<const T*>(from)[i]);
}

struct Combination {
  std::string_view dtype, op;
  std::size_t bytes;  // of an element
  emulated::Combine combine;
};

template <class T>
constexpr std::array<Combination, 4> combinations() {
  const auto of = []<class Op>(Op) {
    return Combination{dtype_of<T>(), Op::name, sizeof(T), combine<T, Op>};
  };
  return {of(Sum()), of(Product()), of(Min()), of(Max())};
}

Combination combination(std::string_view dtype, std::string_view op) {
  for (const auto& of_type : {combinations<std::int32_t>(), combinations<std::int64_t>(),
                              combinations<float>(), combinations<double>()})
    for (const Combination& one : of_type)
      if (one.dtype == dtype && one.op == op) return one;
  throw std::invalid_argument("all_reduce has no " + std::string(op) + " of " + std::string(dtype));
}

using Pieces = std::span<const std::span<const std::byte>>;

std::span<const std::byte> bytes_at(const void* memory, std::size_t bytes) {
  return {static_cast<const std::byte*>(memory), bytes};
}

void require_memory(std::span<const Exchange> devices, std::size_t from_bytes, std::size_t to_bytes,
                    const char* call) {
  for (const auto& [from, to] : devices) {
    arena.require(from, from_bytes, call);
    arena.require(to, to_bytes, call);
  }
}

// What each device does when all have come, before any goes on.
template <class Enqueue>
void between_joins(std::size_t devices, const Enqueue& enqueue) {
  const auto count = static_cast<unsigned>(devices);
  join(count);
  for (unsigned device = 0; device < count; ++device) enqueue(device);
  join(count);
}

void enqueue(unsigned device, QueuedCopy copy) {
  queues::add(stream_of(device), std::move(copy));
}

// What the other processes have brought.
void note_received(const void* to, std::size_t bytes, std::size_t from_others) {
  emulated::checker::written(to, bytes);
  if (emulated::traffic::active()) emulated::traffic::counts.peer_store_bytes += from_others;
}

}  // namespace

void gather_on_host(const void* own, void* all, std::size_t bytes) {
  processes::exchange(bytes_at(own, bytes), [&](std::size_t offset, const Pieces& pieces) {
    std::byte* to = static_cast<std::byte*>(all) + offset;
    for (const auto& piece : pieces) {
      std::memcpy(to, piece.data(), piece.size());
      to += bytes;
    }
  });
}

void all_gather(std::span<const Exchange> devices, std::size_t bytes) {
  const void* const instruction = __builtin_return_address(0);
  require_memory(devices, bytes, devices.size() * bytes, "all_gather");
  if (processes::ranks() > 0) {
    const auto [from, to] = devices.front();
    arena.require(to, processes::ranks() * bytes, "all_gather");
    queues::add(stream_of(0), [=] {
      gather_on_host(from, to, bytes);
      note_received(to, processes::ranks() * bytes, (processes::ranks() - 1) * bytes);
    });
    return;
  }
  between_joins(devices.size(), [&](unsigned device) {
    std::byte* to = static_cast<std::byte*>(devices[device].to);
    for (const Exchange& peer : devices) {
      enqueue(device, {to, {peer.from}, bytes, instruction});
      to += bytes;
    }
  });
}

void all_reduce(std::span<const Exchange> devices, std::size_t elements, std::string_view dtype,
                std::string_view op) {
  const void* const instruction = __builtin_return_address(0);
  const auto& [its_type, its_op, bytes, combine] = combination(dtype, op);
  require_memory(devices, elements * bytes, elements * bytes, "all_reduce");
  if (processes::ranks() > 0) {
    queues::add(stream_of(0), [own = devices.front(), bytes = elements * bytes, combine = combine] {
      processes::exchange(bytes_at(own.from, bytes), [&](std::size_t offset, const Pieces& pieces) {
        std::byte* const to = static_cast<std::byte*>(own.to) + offset;
        std::memcpy(to, pieces.front().data(), pieces.front().size());
        for (const auto& piece : pieces.subspan(1)) combine(to, piece.data(), piece.size());
      });
      note_received(own.to, bytes, (processes::ranks() - 1) * bytes);
    });
    return;
  }
  std::vector<const void*> brought;
  for (const Exchange& one : devices) brought.push_back(one.from);
  between_joins(devices.size(), [&](unsigned device) {
    enqueue(device, {devices[device].to, brought, elements * bytes, instruction, combine});
  });
}

}  // namespace ladder::backend
