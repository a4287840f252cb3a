// What is remembered of the accesses to each word of memory.
//
// A cell stands for a word of 4 bytes as long as all accesses cover the whole of it, and is split
// into one for each byte where one does not. Cells are made when they are first touched, and forget
// all when a new generation begins (a launch; in shared memory, a block).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compare/emulated/checking/known_accesses.hpp"
#include "compare/emulated/checking/sparse_array.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

// An access as it is remembered.
struct Seen {
  Epoch epoch;
  Access access = Access::load;
  bool is_volatile : 1 = false;
  bool published : 1 = false;  // a volatile store that announces what lies before a fence
  bool of_system : 1 = true;   // false: an atomic that is one to the threads of its device only
  std::uint8_t device = 0;
  std::uint8_t bytes = 0;                    // 0: of a copy
  std::optional<std::uint16_t> copier = {};  // of an asynchronous copy: the thread that issued it
  Place place = {};

  bool exists() const { return epoch.exists(); }
};

// Accesses to one word that need not be ordered among each other. Of the block that runs, each
// thread's last in its last interval: whatever comes after a barrier of this block is ordered after
// what lies further back, and whoever acquires the last interval acquires those before it. Of
// blocks that ran before, one of each of the last few, in place of all the others. Of the copies,
// the last of each thread or onto each barrier, and of those the last 64.
class AccessSet {
 public:
  void add(const Seen& seen);
  // All are atomics, and so to each other and to this one.
  bool only_atomics_for(const Seen& now) const {
    return others_ == 0 &&
           ((devices_ | 1U << now.device) == 1U << now.device || (all_of_system_ && now.of_system));
  }
  // Who sees the last has seen them all: each atomic has seen those before it and the first store,
  // and a thread knows its own.
  bool is_chain() const {
    return others_ == 0 || (others_ == 1 && began_with_other_) || of_one_thread_;
  }

  // The first that `found` says yes to; null where there is none.
  template <class Found>
  const Seen* find(const Found& found) const {
    for (const Seen& seen : mine_)
      if (found(seen)) return &seen;
    for (const std::vector<Seen>* const others : {&before_, &copies_})
      for (const Seen& seen : *others)
        if (found(seen)) return &seen;
    return nullptr;
  }

  // drops what is ordered before any access of this block and interval
  void enter(const Epoch& now);

  // Sets are made and dropped all the time: what one has allocated is kept for the next.
  struct Recycle {
    void operator()(AccessSet* set) const;
  };
  using Pointer = std::unique_ptr<AccessSet, Recycle>;
  static Pointer make();

 private:
  static constexpr std::size_t most_blocks = 4, most_copies = 64;
  static constexpr std::size_t most_searched = 8;
  static constexpr std::uint16_t none = 0xffff;

  Seen* of_thread(std::uint16_t thread);
  void clear_mine();
  void clear();
  static std::vector<AccessSet*>& dropped();

  std::vector<Seen> mine_, before_, copies_;
  std::vector<std::uint16_t> index_;  // of a thread in mine_, once they are too many to search
  unsigned others_ = 0;               // in all that were ever added: not atomics
  unsigned devices_ = 0;              // of all that were ever added: a bit for each
  bool all_of_system_ = true;
  bool began_with_other_ = false, of_one_thread_ = true;
  Epoch first_;
};

struct Cell {
  std::uint32_t generation = 0;
  bool split = false;
  Seen write;                 // the last one that was neither atomic nor volatile
  Seen load;                  // the only one, or ..
  AccessSet::Pointer loads;   // .. all since that write
  AccessSet::Pointer strong;  // atomics and volatile stores since that write
  // The last access that has seen all of these: an atomic that follows atomics, or who reads the
  // only store
  Epoch observer;
};

class Shadow {
 public:
  void begin_generation() { ++generation_; }

  // Calls visit(cell) for the cells of these bytes.
  template <class Visit>
  void each(std::uintptr_t address, std::size_t size, const Visit& visit) {
    const std::uintptr_t end = address + size;
    for (std::uintptr_t word = address / word_size; word * word_size < end; ++word) {
      Cell& whole = fresh(word);
      const std::uintptr_t from = std::max(address, word * word_size),
                           to = std::min(end, (word + 1) * word_size);
      if (!whole.split && to - from == word_size) {
        visit(whole);
        continue;
      }
      if (!whole.split) split(word, whole);
      for (std::uintptr_t byte = from; byte < to; ++byte) visit(splits_[word][byte % word_size]);
    }
  }

 private:
  static constexpr std::uintptr_t word_size = 4;

  Cell& fresh(std::uintptr_t word);  // as the generation has it
  void split(std::uintptr_t word, Cell& whole);

  std::uint32_t generation_ = 0;
  SparseArray<Cell> cells_;
  std::unordered_map<std::uintptr_t, std::array<Cell, word_size>> splits_;
};

}  // namespace ladder::emulated
