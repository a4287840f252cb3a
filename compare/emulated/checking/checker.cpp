#include "compare/emulated/checking/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <random>
#include <utility>

#include "compare/emulated/checking/findings.hpp"
#include "compare/emulated/checking/initialised_memory.hpp"
#include "compare/emulated/checking/older_values.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/names.hpp"
#include "compare/emulated/memory/shared_memory.hpp"
#include "compare/emulated/memory/source_line.hpp"
#include "compare/emulated/memory/symbols.hpp"

namespace ladder::emulated::checker {

Races races;
std::uint64_t accesses = 0;

namespace {

bool is_active = false;
const void* kernel = nullptr;  // of the block that runs
std::string kernel_symbol;
bool several = false;  // more than one thing runs until all queues are empty
// Each that has begun, with the number of its first block.
struct Begun {
  unsigned first;
  Shape shape = {};
};
std::vector<Begun> all_begun;
Initialised initialised;
OlderValues versions;
bool finds_older_values = false;
std::mt19937_64 random_numbers;
const OlderValues::Version* chosen = nullptr;  // for the atomic that comes next
Message carried;                               // by the word that an atomic is about to change
struct Present {
  std::uintptr_t address;
  std::size_t size;
  std::uint64_t value;
};
std::optional<Present> present;
Place older_read, missed_store;   // the last that found an older value ..
Epoch reader;                     // .. and by whom ..
std::uintptr_t read_address = 0;  // .. where
Findings found;
Place absent;                    // the first lanes of a shuffle that were
std::optional<Symbols> symbols;  // of a program that checks
// A store that raced with another, until it is known what it stores.
struct Store {
  RawFinding* find;
  std::uintptr_t address;
  std::vector<unsigned char> before;
};
std::optional<Store> last_store;
struct Array {
  std::string name;
  std::size_t size;
  bool is_emptied = false;
};
std::map<std::uintptr_t, Array> arrays;
// how many arrays of each name there have been
std::map<std::string, unsigned, std::less<>> named;
std::string next_name, later_name;

// From the start of the thread-local memory.
std::size_t shared_offset(std::uintptr_t address) {
  return address - shared_memory.statics.begin();
}

// The hook comes before the store. By the next one it has been carried out, and nothing else has.
void settle_last_store() {
  if (!last_store) return;
  const auto& [find, address, before] = *last_store;
  if (std::memcmp(reinterpret_cast<const void*>(address), before.data(), before.size()) != 0)
    find->same_value = false;
  last_store.reset();
}

bool is_dynamic(std::uintptr_t address, Space space) {
  return space.is_shared() && address - shared_memory.dynamic(space.slot) < most_shared_bytes;
}

const std::pair<const std::uintptr_t, Array>* array_at(std::uintptr_t address) {
  auto array = arrays.upper_bound(address);
  if (array == arrays.begin() || address >= (--array)->first + array->second.size) return nullptr;
  return &*array;
}

std::string in_words(std::uintptr_t address, Space space) {
  if (space.is_shared()) {
    const std::string whose = space.slot == scheduler::running().slot
                                  ? ""
                                  : " of " + scheduler::grid().shape.block_in_words(
                                                 scheduler::block_in(space.slot).index);
    if (is_dynamic(address, space))
      return fmt::format("dynamic shared memory{} + {} bytes", whose,
                         address - shared_memory.dynamic(space.slot));
    const Symbol* const array = Symbols::at(symbols->shared_arrays, shared_offset(address));
    if (array == nullptr) return "static shared memory" + whose;
    return fmt::format("shared {}{} + {} bytes", last_name(array->name), whose,
                       shared_offset(address) - array->begin);
  }
  if (const Symbol* const variable = Symbols::at(symbols->variables, address))
    return fmt::format("{} + {} bytes", last_name(variable->name), address - variable->begin);
  const auto* const array = array_at(address);
  if (array == nullptr) return fmt::format("global memory at {:#x}", address);
  return fmt::format("{} + {} bytes", array->second.name, address - array->first);
}

// As its grid numbers it. Returns the shape of that.
Shape name_block(Seen& seen) {
  if (!seen.exists()) return {};
  const auto next = std::ranges::upper_bound(all_begun, block_of(seen.epoch), {}, &Begun::first);
  const Begun& its = *std::prev(next);
  seen.epoch.block -= its.first;
  return its.shape;
}

void note(RawFinding find, const MemoryAccess& access, Space space) {
  const bool by_threads = !find.first.copier && !find.second.copier;
  const bool two_stores = find.first.access == Access::store &&
                          find.second.access == Access::store && find.first.exists() && by_threads;
  find.shape_of_first = name_block(find.first);
  find.shape = name_block(find.second);
  find.in_shared = space.is_shared();
  find.in_dynamic = is_dynamic(access.address, space);
  find.of_several = scheduler::devices().size() > 1;
  find.of_resident = scheduler::grid().resident;
  find.same_value = two_stores;  // until one store is seen to change what the other wrote
  RawFinding* const kept = found.add(find);
  // most are seen again and again
  if (kept != nullptr && kept->memory.empty()) {
    kept->memory = in_words(access.address, space);
    const auto* const array = space.is_shared() ? nullptr : array_at(access.address);
    kept->is_emptied = array != nullptr && array->second.is_emptied;
  }
  if (kept == nullptr || !two_stores || !kept->same_value ||
      (space.is_shared() && space.slot != scheduler::running().slot))
    return;
  const auto* const memory = reinterpret_cast<const unsigned char*>(access.address);
  last_store = {kept, access.address, {memory, memory + access.size}};
}

// A struct has padding that nobody writes, and so has what is copied as bytes: there, one written
// byte will do.
bool lacks_value(const MemoryAccess& access, Space space) {
  if (access.access == Access::store || access.is_exchange ||
      initialised.all_written(space, access.address, access.size))
    return false;
  if (!access.needs_alignment) return !initialised.any_written(space, access.address, access.size);
  // each half of a vector or a struct; a scalar of 4 bytes is written as a whole
  const std::size_t word = access.size / 2;
  if (access.size <= 4) return true;
  for (std::size_t k = 0; k < access.size; k += word)
    if (!initialised.any_written(space, access.address + k, word)) return true;
  return false;
}

void check_written(unsigned thread, const MemoryAccess& access, Space space) {
  if (lacks_value(access, space)) {
    const auto kind =
        space.is_shared() ? FindingKind::uninitialised_shared : FindingKind::uninitialised_global;
    RawFinding find{{}, kernel, kind};
    find.second = {.epoch = races.order().now(thread),
                   .access = access.access,
                   .is_volatile = access.is_volatile,
                   .device = static_cast<std::uint8_t>(races.order().device()),
                   .place = access.place};
    note(find, access, space);
  }
  if (access.access != Access::load) initialised.mark(space, access.address, access.size, true);
}

// A store is about to overwrite what is in memory.
void keep_version(unsigned thread, const MemoryAccess& access, Space space) {
  std::uint64_t old = 0;
  std::memcpy(&old, reinterpret_cast<const void*>(access.address), access.size);
  versions.overwritten(access.address, access.size, old, races.message_of(access.address, space),
                       {.epoch = races.order().now(thread),
                        .access = access.access,
                        .is_volatile = access.is_volatile,
                        .place = access.place});
}

// The version that the access finds in place of the present value; null where it finds that.
const OlderValues::Version* version_for(unsigned thread, const MemoryAccess& access, Space space) {
  if (!finds_older_values || space.is_shared()) return nullptr;
  const bool is_relaxed = (access.is_volatile || access.access == Access::atomic) &&
                          OlderValues::may_concern(access.address, access.size);
  if (!is_relaxed) {
    if (access.access != Access::load) versions.forget(access.address, access.size);
    return nullptr;
  }
  if (access.access == Access::store) {
    keep_version(thread, access, space);
    return nullptr;
  }
  const OlderValues::Version* older = nullptr;
  if (access.access == Access::load)
    older = versions.choose(access.address, access.size, races.order(), thread, random_numbers);
  else if (access.finds_older) older = chosen;
  else carried = races.message_of(access.address, space);
  const Epoch now = races.order().now(thread);
  versions.found(access.address, now, older);
  // it reads again until it finds the store: it missed nothing
  if (older == nullptr && access.place == older_read && access.address == read_address &&
      now.block == reader.block && now.thread == reader.thread)
    older_read = {};
  return older;
}

// The load that follows finds the version in memory. (An atomic has it already.)
void show(unsigned thread, const OlderValues::Version& version, const MemoryAccess& access) {
  // an atomic that misses another of its line adds nothing that anyone looks at
  if (!(access.place == version.overwritten_by.place)) {
    older_read = access.place, missed_store = version.overwritten_by.place;
    reader = races.order().now(thread), read_address = access.address;
  }
  if (access.access != Access::load) return;
  present = {access.address, access.size, 0};
  std::memcpy(&present->value, reinterpret_cast<const void*>(access.address), access.size);
  std::memcpy(reinterpret_cast<void*>(access.address), &version.value, access.size);
}

void find_kernel() {
  if (kernel == scheduler::grid().kernel) return;
  kernel = scheduler::grid().kernel;
  kernel_symbol = symbols->function_at(address_of(kernel));
}

// Whether the symbol has all these bytes.
bool holds(const Symbol* symbol, std::size_t place, std::size_t size) {
  return symbol != nullptr && place + size <= symbol->begin + symbol->size;
}

// Arrays of kernels lie side by side. Those of another kernel are no business of this one; who
// calls which device function is not known.
bool may_use(const Symbol& array) {
  return !array.of_kernel || kernel_symbol.empty() || array.owner == kernel_symbol;
}

std::string past_end(std::string_view kind, const Symbol* symbol, std::size_t place) {
  return symbol == nullptr
             ? ""
             : fmt::format(": {}{} ({} bytes) + {} bytes", kind, last_name(symbol->name),
                           symbol->size, place - symbol->begin);
}

class Watch final : public Observer {
  // Under a seed reads find any value that the memory model allows.
  void begin(std::uint64_t seed) override {
    const auto& devices = scheduler::devices();
    several = devices.size() > 1 || devices.front().work.size() > 1;
    all_begun.clear();
    races.begin();
    versions.begin();
    finds_older_values = seed != 0;
    random_numbers.seed(seed);
  }

  void begin_kernel() override {
    all_begun.push_back({scheduler::device().first, scheduler::grid().shape});
  }

  void end_kernel() override {
    const Device& device = scheduler::device();
    if (several) races.end_kernel(device.number, device.first, device.grid.blocks);
  }

  void copy_of_queue(const QueuedCopy& copy, unsigned number, unsigned slot) override {
    const unsigned device = scheduler::device().number;
    settle_last_store();
    kernel = nullptr;
    all_begun.push_back({number});
    races.begin_block(slot, number, 1, device);
    const CopyId id{CopyKind::of_queue, number, 0, 1};
    const auto access = [&](Access kind, const void* memory) {
      const auto address = address_of(memory);
      checker::copy(0,
                    {.access = kind,
                     .address = address,
                     .size = copy.bytes,
                     .place = copy.instruction,
                     .needs_alignment = false},
                    global_memory, id, false);
    };
    for (const void* const from : copy.from) access(Access::load, from);
    access(Access::store, copy.to);
    races.end_kernel(device, number, 1);
  }

  void join_devices(unsigned count) override { races.join(count); }
  void begin_block(unsigned slot) override {
    settle_last_store();
    find_kernel();
    races.begin_block(slot, scheduler::block_in(slot).number, scheduler::grid().threads,
                      scheduler::device().number);
    initialised.begin_block(slot);
  }

  void end_block() override {
    if (several) races.end_block();
  }
  void select(unsigned slot) override {
    settle_last_store();
    find_kernel();
    races.select(slot);
  }

  void barrier(unsigned absent, const Place& place) override {
    if (absent > 0) {
      RawFinding find{{}, kernel, FindingKind::exited_before_barrier};
      find.absent = absent;
      find.second.epoch = races.order().now(0);
      find.second.place = place;
      find.shape = name_block(find.second);
      found.add(find);
    }
    races.order().barrier();
  }

  void sync_warp(unsigned warp, std::uint32_t lanes) override {
    races.order().sync_warp(warp, lanes);
  }
  // The value is undefined, and often unused.
  void absent_lanes(unsigned /*count*/, const Place& place) override {
    if (!absent.exists()) absent = place;
  }
  void settle() override { checker::settle(); }
} watch;

}  // namespace

bool active() {
  return is_active;
}

Observer& observer() {
  return watch;
}

void start() {
  if (!symbols) symbols.emplace();
  is_active = true;
  forget_findings();
  initialised.forget_all();
  arrays.clear();
  call_arrays("array", "array");
}

void stop() {
  is_active = false;
}

void forget_findings() {
  last_store.reset();  // it points to a finding
  found.clear();
  absent = older_read = missed_store = {};
}

void call_arrays(std::string_view first, std::string_view others) {
  named.clear();
  next_name = first;
  later_name = others;
}

void call_next_array(std::string_view name) {
  next_name = name;
}

void allocated(const void* array, std::size_t bytes) {
  if (!is_active) return;
  const auto address = address_of(array);
  initialised.mark(global_memory, address, bytes, false);
  const unsigned number = ++named[next_name];
  arrays[address] = {number == 1 ? next_name : fmt::format("{} {}", next_name, number), bytes};
  next_name = later_name;
}

void released(const void* array) {
  if (!is_active) return;
  settle_last_store();
  arrays.erase(address_of(array));
}

void written(const void* memory, std::size_t bytes) {
  if (!is_active) return;
  settle_last_store();
  initialised.mark(global_memory, address_of(memory), bytes, true);
}

void unwritten(std::string_view name) {
  settle_last_store();
  for (auto& [address, array] : arrays) {
    if (array.name != name) continue;
    array.is_emptied = true;
    initialised.mark(global_memory, address, array.size, false);
  }
}

std::vector<protocol::Finding> findings(bool remarks) {
  settle_last_store();
  return found.in_words(remarks);
}

std::string absent_lanes() {
  return absent.exists() ? source_line(absent) : "";
}

std::string older_values() {
  return older_read.exists() ? fmt::format("{} may miss the store in {}", source_line(older_read),
                                           source_line(missed_store))
                             : "";
}

std::string name_of_array(std::uintptr_t begin) {
  const auto array = arrays.find(begin);
  return !is_active || array == arrays.end() ? std::string() : array->second.name;
}

void access(unsigned thread, const MemoryAccess& access, Space space) {
  ++accesses;
  settle_last_store();
  check_written(thread, access, space);
  const OlderValues::Version* const older = version_for(thread, access, space);
  if (const auto race =
          races.access(thread, access, space, older == nullptr ? nullptr : &older->carried))
    note({*race, kernel}, access, space);
  if (older != nullptr) show(thread, *older, access);
}

void copy(unsigned thread, const MemoryAccess& access, Space space, const CopyId& copy,
          bool in_bulk) {
  settle_last_store();
  if (access.access == Access::store) {
    initialised.mark(space, access.address, access.size, true);
    if (finds_older_values && !space.is_shared()) versions.forget(access.address, access.size);
  }
  if (const auto race = races.copy(thread, access, space, copy, in_bulk))
    note({*race, kernel}, access, space);
}

// Bytes that had no value have none in the copy.
void copied(const Location& to, const Location& from, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k)
    if (!initialised.all_written(from.space, from.address + k, 1))
      initialised.mark(to.space, to.address + k, 1, false);
}

void settle() {
  if (!present) return;
  std::memcpy(reinterpret_cast<void*>(present->address), &present->value, present->size);
  present.reset();
}

std::optional<std::uint64_t> older_value(unsigned thread, std::uintptr_t address,
                                         std::size_t size) {
  if (!finds_older_values || !OlderValues::may_concern(address, size)) return {};
  chosen = versions.choose(address, size, races.order(), thread, random_numbers);
  return chosen == nullptr ? std::nullopt : std::optional(chosen->value);
}

void changes(unsigned thread, std::uintptr_t address, std::size_t size, std::uint64_t old,
             const Place& place) {
  if (!finds_older_values || !OlderValues::may_concern(address, size)) return;
  const Epoch now = races.order().now(thread);
  versions.overwritten(address, size, old, std::move(carried),
                       {.epoch = now, .access = Access::atomic, .place = place});
  versions.found(address, now, nullptr);
}

bool is_static_shared(std::uintptr_t address, std::size_t size) {
  if (!is_active || !symbols->known()) return true;
  const std::size_t offset = shared_offset(address);
  const Symbol* const array = Symbols::at(symbols->shared_arrays, offset);
  return holds(array, offset, size) && may_use(*array);
}

bool is_variable(std::uintptr_t address, std::size_t size) {
  return !is_active || !symbols->known() ||
         holds(Symbols::at(symbols->variables, address), address, size);
}

std::size_t static_shared_bytes(const void* kernel) {
  return is_active ? symbols->shared_bytes_of(symbols->function_at(address_of(kernel))) : 0;
}

std::string past_shared_array(std::uintptr_t address) {
  if (!is_active) return "";
  const std::size_t offset = shared_offset(address);
  const Symbol* array = Symbols::before(symbols->shared_arrays, offset);
  while (array != nullptr && !may_use(*array))
    array = array->begin == 0 ? nullptr : Symbols::before(symbols->shared_arrays, array->begin - 1);
  return past_end("shared ", array, offset);
}

std::string past_variable(std::uintptr_t address) {
  return is_active ? past_end("", Symbols::before(symbols->variables, address), address) : "";
}

}  // namespace ladder::emulated::checker
