// Checks what kernels do, while it is switched on: races (races.hpp), reads of memory that nobody
// wrote (initialised_memory.hpp), barriers that some threads of the block have left out. What it
// finds is kept, and the kernel goes on; what stops a kernel is a Fault, checked for or not.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compare/emulated/checking/findings.hpp"
#include "compare/emulated/checking/initialised_memory.hpp"
#include "compare/emulated/checking/older_values.hpp"
#include "compare/emulated/checking/races.hpp"
#include "compare/emulated/machine/observer.hpp"
#include "compare/emulated/memory/symbols.hpp"

namespace ladder::emulated {

class Checker final : public Observer {
 public:
  // From the host. Where no check runs, the arrays are no concern.
  void start();
  void stop() { active_ = false; }
  void forget_findings();
  // Names device memory that is allocated from here on; those of one name are numbered from 2.
  void call_arrays(std::string_view first, std::string_view others);
  void allocated(const void* array, std::size_t bytes);
  void released(const void* array);
  void written(const void* memory, std::size_t bytes);
  // what lies in the array of that name counts as never written
  void unwritten(std::string_view name);
  std::vector<protocol::Finding> findings(bool remarks = false);
  // the line of a shuffle that took a value from a lane that was not there; empty where none did
  std::string absent_lanes() const;
  // the last read that found an older value than there was, and the store that it missed; empty
  // where none did
  std::string older_values() const;
  // in device memory; empty where it is not known
  std::string name_of_array(std::uintptr_t begin) const;

  bool active() const { return active_; }

  // Under a seed reads find any value that the memory model allows.
  void begin(std::uint64_t seed) override;
  void begin_kernel() override;
  void end_kernel() override;
  void copy_of_queue(const QueuedCopy& copy, unsigned number, unsigned slot) override;
  void join_devices(unsigned count) override { races_.join(count); }
  void begin_block(unsigned slot) override;
  void end_block() override {
    if (several_) races_.end_block();
  }
  void select(unsigned slot) override;
  void barrier(unsigned absent, const Place& place) override;
  void sync_warp(unsigned warp, std::uint32_t lanes) override {
    races_.order().sync_warp(warp, lanes);
  }
  // The value is undefined, and often unused.
  void absent_lanes(unsigned /*count*/, const Place& place) override {
    if (!absent_lanes_.exists()) absent_lanes_ = place;
  }
  // A volatile read that finds an older value finds it in memory, until the next hook puts the
  // present one back.
  void settle() override {
    if (present_) put_back();
  }

  // From the monitor and the calls, where it is active.
  void access(unsigned thread, const MemoryAccess& access, Space space);
  std::uint64_t accesses() const { return accesses_; }  // of threads to memory, looked at so far
  // Each of the two accesses of an asynchronous copy that the thread issues; then copied().
  void copy(unsigned thread, const MemoryAccess& access, Space space, const CopyId& copy,
            bool in_bulk);
  void learn(unsigned thread, const CopyId& copies);  // that they are done
  Races& races() { return races_; }
  void copied(const Location& to, const Location& from, std::size_t size);

  // An atomic on a word of global memory that would change nothing may find an older value: one
  // that it may find; or nothing.
  std::optional<std::uint64_t> older_value(unsigned thread, std::uintptr_t address,
                                           std::size_t size);
  // the atomic announced last does
  void changes(unsigned thread, std::uintptr_t address, std::size_t size, std::uint64_t old,
               const Place& place);

  // Whether the kernel that runs may access these bytes of static shared memory; as far as is
  // known.
  bool is_static_shared(std::uintptr_t address, std::size_t size) const;
  // Whether they lie in one of the program's variables.
  bool is_variable(std::uintptr_t address, std::size_t size) const;
  // its own arrays, without those of the functions it calls
  std::size_t static_shared_bytes(const void* kernel) const;
  // ": shared tile (128 bytes) + 128 bytes", for an address at or past the end of an array; empty
  // where none is known.
  std::string past_shared_array(std::uintptr_t address) const;
  std::string past_variable(std::uintptr_t address) const;

 private:
  struct Array {
    std::string name;
    std::size_t size;
  };
  // A store that raced with another, until it is known what it stores.
  struct Store {
    RawFinding* find;
    std::uintptr_t address;
    std::vector<unsigned char> before;
  };

  struct Present {
    std::uintptr_t address;
    std::size_t size;
    std::uint64_t value;
  };

  void check_written(unsigned thread, const MemoryAccess& access, Space space);
  const OlderValues::Version* version_for(unsigned thread, const MemoryAccess& access, Space space);
  void keep_version(unsigned thread, const MemoryAccess& access, Space space);
  void show(const OlderValues::Version& version, const MemoryAccess& access);
  void put_back();
  bool lacks_value(const MemoryAccess& access, Space space);
  void note(RawFinding find, const MemoryAccess& access, Space space);
  void settle_last_store();
  void find_kernel();
  void name_block(Seen& seen) const;
  std::string in_words(std::uintptr_t address, Space space) const;

  bool active_ = false;
  std::uint64_t accesses_ = 0;
  const void* kernel_ = nullptr;  // of the block that runs
  std::string kernel_symbol_;
  bool several_ = false;                // more than one thing runs until all queues are empty
  std::vector<unsigned> first_blocks_;  // of each that has begun, the number of the first block
  Races races_;
  Initialised initialised_;
  OlderValues older_values_;
  bool finds_older_values_ = false;
  std::mt19937_64 random_;
  const OlderValues::Version* chosen_ = nullptr;  // for the atomic that comes next
  Message carried_;                               // by the word that an atomic is about to change
  std::optional<Present> present_;
  Place older_read_, missed_store_;  // the last that found an older value
  Findings findings_;
  Place absent_lanes_;              // the first
  std::optional<Symbols> symbols_;  // of a program that checks
  std::optional<Store> last_store_;
  std::map<std::uintptr_t, Array> arrays_;
  // how many arrays of each name there have been
  std::map<std::string, unsigned, std::less<>> named_;
  std::string next_name_, later_name_;
};

extern Checker checker;

}  // namespace ladder::emulated
