// Checks what kernels do, while it is switched on: races (races.hpp), reads of memory that nobody wrote (initialised.hpp), barriers that some threads
// of the block have left out. What it finds is kept, and the kernel goes on; what stops a kernel is a Fault, checked for or not.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compare/emulated/findings.hpp"
#include "compare/emulated/initialised.hpp"
#include "compare/emulated/races.hpp"
#include "compare/emulated/symbols.hpp"

namespace ladder::emulated {

class Checker {
 public:
  // From the host.
  void start();
  void stop() { active_ = false; }
  void forget_findings();
  void call_arrays(std::string_view first, std::string_view others);
  void allocated(const void* array, std::size_t bytes);
  void released(const void* array);
  void written(const void* memory, std::size_t bytes);
  void unwritten(std::string_view name);
  std::vector<Finding> findings();
  const std::optional<Place>& absent_lanes() const { return absent_lanes_; }

  bool active() const { return active_; }

  // From the monitor, where it is active.
  void begin_kernel(const void* kernel);
  void begin_block(unsigned block);
  // What is known of one block, while another runs.
  struct OfBlock {
    Order::OfBlock order;
    Races::OfBlock races;
    Initialised::OfBlock initialised;
  };
  void exchange(OfBlock& block);
  void barrier(unsigned absent, const Place& place);  // absent: threads that have exited
  void sync_warp(unsigned warp, std::uint32_t lanes) { races_.order.sync_warp(warp, lanes); }
  void absent_lanes(const Place& place) { absent_lanes_ = absent_lanes_.value_or(place); }  // of a shuffle: undefined, and often unused
  void fence(unsigned thread, Scope scope) { races_.fence(thread, scope); }
  void access(unsigned thread, const MemoryAccess& access, Space space, const unsigned char* dynamic_shared);

  // Whether the kernel that runs may access these bytes of static shared memory, counted from the start of the thread-local memory.
  bool is_static_shared(std::size_t offset, std::size_t size) const;
  void static_shared_lies_at(std::uintptr_t address) { static_shared_ = address; }

 private:
  struct Array {
    std::string name;
    std::size_t size;
  };
  // A store that raced with another, until it is known what it stores.
  struct Store {
    Find* find;
    std::uintptr_t address;
    std::vector<unsigned char> before;
  };

  void note(Find find, const MemoryAccess& access, Space space, const unsigned char* dynamic_shared);
  void settle_last_store();
  std::string in_words(std::uintptr_t address, Space space, const unsigned char* dynamic_shared) const;

  bool active_ = false;
  const void* kernel_ = nullptr;
  std::string kernel_symbol_;
  Races races_;
  Initialised initialised_;
  Findings findings_;
  std::optional<Place> absent_lanes_;  // the first
  std::optional<Symbols> symbols_;     // of a program that checks
  std::optional<Store> last_store_;
  std::map<std::uintptr_t, Array> arrays_;
  std::map<std::string, unsigned, std::less<>> named_;  // how many arrays of each name there have been
  std::string next_name_, later_name_;
  std::uintptr_t static_shared_ = 0;
};

}  // namespace ladder::emulated
