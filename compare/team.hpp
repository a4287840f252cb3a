// Several devices that work on one operation, each on its part of the data.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "compare/backend.hpp"
#include "compare/operators.hpp"

namespace ladder {

// The operators of Team::all_reduce().
template <class Op>
concept CombinesDevices = std::same_as<Op, Sum> || std::same_as<Op, Product> ||
    std::same_as<Op, Min> || std::same_as<Op, Max>;

// This process has one device of a team, and other processes have the others.
struct Rank {
  unsigned number, of;
};

class Team {
 public:
  // Throws std::invalid_argument for more devices than there are.
  explicit Team(unsigned devices) : size_(devices) {
    if (rank) {
      if (devices != rank->of)
        throw std::invalid_argument("a team of as many devices as there are processes: " +
                                    std::to_string(rank->of));
      return;
    }
    if (devices == 0 || devices > most_devices || devices > backend::devices())
      throw std::invalid_argument(
          "a team has 1 to " +
          std::to_string(backend::devices() < most_devices ? backend::devices() : most_devices) +
          " devices here, not " + std::to_string(devices));
  }

  unsigned size() const { return size_; }

  static inline std::optional<Rank> rank;  // set where each device has a process of its own

  // The first device of this process.
  unsigned first() const { return rank ? rank->number : 0; }

  // Calls action(device, stream) for each device of this process, which is the one in use then.
  template <class Action>
  void each(const Action& action) const {
    const struct BackToFirst {
      ~BackToFirst() { backend::use(0); }
    } back_to_first;
    if (rank) {
      backend::use(0);
      action(rank->number, backend::stream_of(0));
      return;
    }
    for (unsigned device = 0; device < size_; ++device) {
      backend::use(device);
      action(device, backend::stream_of(device));
    }
  }

  // Work enqueued from here on, on any device, follows all work enqueued before, on all devices.
  // Throws std::logic_error where devices belong to several processes.
  void join() const {
    if (rank) throw std::logic_error("devices of several processes meet in collective calls alone");
    backend::join(size_);
  }

  // Gives each device the bytes of all devices, in their order. of(device): its
  // backend::Exchange.
  template <class Of>
  void all_gather(std::size_t bytes, const Of& of) const {
    const auto all = exchanges(of);
    backend::all_gather({all.data(), rank ? 1 : size_}, bytes);
  }

  // Gives each device the elements of all devices, combined one by one in the library's order.
  template <CombinesDevices Op, class Of>
  void all_reduce(std::string_view dtype, std::size_t elements, const Of& of) const {
    const auto all = exchanges(of);
    backend::all_reduce({all.data(), rank ? 1 : size_}, elements, dtype, Op::name);
  }

  // Returns when all that was enqueued is over.
  void wait() const {
    each([](unsigned, Stream stream) { backend::synchronize(stream); });
  }

 private:
  template <class Of>
  std::array<backend::Exchange, most_devices> exchanges(const Of& of) const {
    std::array<backend::Exchange, most_devices> all{};
    if (rank) all[0] = of(rank->number);
    for (unsigned device = 0; device < size_ && !rank; ++device) all[device] = of(device);
    return all;
  }

  unsigned size_;
};

// The arguments of an operation whose data is spread over a team.
template <class Device>
struct Spread {
  const Team* team;
  // the arguments of each device; devices of other processes have none. The answer of a device is a
  // part where there is one result for each element, else the whole
  std::vector<Device> shards;
  bool answer_is_spread;

  const Device& own() const { return shards[team->first()]; }

  void download(auto* to) const {
    team->wait();
    for (const Device& shard : answer_is_spread ? shards : std::vector{own()}) {
      backend::download(to, shard.out, shard.results() * sizeof *to);
      to += shard.results();
    }
  }
};

// Where a run with these arguments is enqueued, and what points to its answer.
template <class Device>
struct RunOf {
  static constexpr bool over_devices = false;
  using Where = Stream;
  using Results = decltype(Device::out);
};
template <class Device>
struct RunOf<Spread<Device>> {
  static constexpr bool over_devices = true;
  using Where = const Team&;
  using Results = decltype(Device::out);
};

// An operation on spread data.
template <template <class...> class Operation>
struct OverDevices {
  template <class... Ts>
  struct Of {
    static constexpr std::string_view name = Operation<Ts...>::name;
    using types = typename Operation<Ts...>::types;
    using operators = typename Operation<Ts...>::operators;
    using Device = Spread<typename Operation<Ts...>::Device>;
  };
};

}  // namespace ladder
