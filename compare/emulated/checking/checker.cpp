#include "compare/emulated/checking/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/names.hpp"
#include "compare/emulated/memory/shared_memory.hpp"
#include "compare/emulated/memory/source_line.hpp"

namespace ladder::emulated {

Checker checker;

namespace {

// From the start of the thread-local memory.
std::size_t shared_offset(std::uintptr_t address) {
  return address - shared_memory.statics.begin();
}

}  // namespace

void Checker::start() {
  if (!symbols_) symbols_.emplace();
  active_ = true;
  forget_findings();
  initialised_.forget_all();
  arrays_.clear();
  call_arrays("array", "array");
}

void Checker::forget_findings() {
  last_store_.reset();  // it points to a finding
  findings_.clear();
  absent_lanes_ = older_read_ = missed_store_ = {};
}

void Checker::call_arrays(std::string_view first, std::string_view others) {
  named_.clear();
  next_name_ = first;
  later_name_ = others;
}

void Checker::allocated(const void* array, std::size_t bytes) {
  if (!active_) return;
  const auto address = address_of(array);
  initialised_.mark(global_memory, address, bytes, false);
  const unsigned number = ++named_[next_name_];
  arrays_[address] = {number == 1 ? next_name_ : fmt::format("{} {}", next_name_, number), bytes};
  next_name_ = later_name_;
}

void Checker::released(const void* array) {
  if (!active_) return;
  settle_last_store();
  arrays_.erase(address_of(array));
}

void Checker::written(const void* memory, std::size_t bytes) {
  if (!active_) return;
  settle_last_store();
  initialised_.mark(global_memory, address_of(memory), bytes, true);
}

void Checker::unwritten(std::string_view name) {
  settle_last_store();
  for (const auto& [address, array] : arrays_)
    if (array.name == name) initialised_.mark(global_memory, address, array.size, false);
}

std::vector<protocol::Finding> Checker::findings(bool remarks) {
  settle_last_store();
  return findings_.in_words(remarks);
}

std::string Checker::absent_lanes() const {
  return absent_lanes_.exists() ? source_line(absent_lanes_) : "";
}

std::string Checker::older_values() const {
  return older_read_.exists() ? fmt::format("{} may miss the store in {}", source_line(older_read_),
                                            source_line(missed_store_))
                              : "";
}

void Checker::begin(std::uint64_t seed) {
  const auto& devices = scheduler.devices();
  several_ = devices.size() > 1 || devices.front().work.size() > 1;
  first_blocks_.clear();
  races_.begin();
  older_values_.begin();
  finds_older_values_ = seed != 0;
  random_.seed(seed);
}

void Checker::begin_kernel() {
  first_blocks_.push_back(scheduler.device().first);
}

void Checker::end_kernel() {
  const Device& device = scheduler.device();
  if (several_) races_.end_kernel(device.number, device.first, device.grid.blocks);
}

void Checker::copy_of_queue(const QueuedCopy& copy, unsigned number, unsigned slot) {
  const unsigned device = scheduler.device().number;
  settle_last_store();
  kernel_ = nullptr;
  first_blocks_.push_back(number);
  races_.begin_block(slot, number, 1, device);
  const CopyId id{CopyKind::of_queue, number, 0, 1};
  const auto access = [&](Access kind, const void* memory) {
    const auto address = address_of(memory);
    this->copy(0,
               {.access = kind,
                .address = address,
                .size = copy.bytes,
                .place = copy.instruction,
                .needs_alignment = false},
               global_memory, id, false);
  };
  for (const void* const from : copy.from) access(Access::load, from);
  access(Access::store, copy.to);
  races_.end_kernel(device, number, 1);
}

void Checker::begin_block(unsigned slot) {
  settle_last_store();
  find_kernel();
  races_.begin_block(slot, scheduler.number_in(slot), scheduler.grid().threads,
                     scheduler.device().number);
  initialised_.begin_block(slot);
}

void Checker::select(unsigned slot) {
  settle_last_store();
  find_kernel();
  races_.select(slot);
}

void Checker::find_kernel() {
  const void* const kernel = scheduler.grid().kernel;
  if (kernel == kernel_) return;
  kernel_ = kernel;
  kernel_symbol_ = symbols_->function_at(address_of(kernel));
}

void Checker::barrier(unsigned absent, const Place& place) {
  if (absent > 0) {
    RawFinding find{{}, kernel_, FindingKind::exited_before_barrier};
    find.absent = absent;
    find.second.epoch = races_.order().now(0);
    find.second.place = place;
    name_block(find.second);
    findings_.add(find);
  }
  races_.order().barrier();
}

// A struct has padding that nobody writes, and so has what is copied as bytes: there, one written
// byte will do.
bool Checker::lacks_value(const MemoryAccess& access, Space space) {
  if (access.access == Access::store || access.is_exchange ||
      initialised_.all_written(space, access.address, access.size))
    return false;
  if (!access.needs_alignment) return !initialised_.any_written(space, access.address, access.size);
  // each half of a vector or a struct; a scalar of 4 bytes is written as a whole
  const std::size_t word = access.size / 2;
  if (access.size <= 4) return true;
  for (std::size_t k = 0; k < access.size; k += word)
    if (!initialised_.any_written(space, access.address + k, word)) return true;
  return false;
}

void Checker::access(unsigned thread, const MemoryAccess& access, Space space) {
  ++accesses_;
  settle_last_store();
  check_written(thread, access, space);
  const OlderValues::Version* const older = version_for(thread, access, space);
  if (const auto race =
          races_.access(thread, access, space, older == nullptr ? nullptr : &older->carried))
    note({*race, kernel_}, access, space);
  if (older != nullptr) show(*older, access);
}

void Checker::check_written(unsigned thread, const MemoryAccess& access, Space space) {
  if (lacks_value(access, space)) {
    const auto kind =
        space.is_shared ? FindingKind::uninitialised_shared : FindingKind::uninitialised_global;
    RawFinding find{{}, kernel_, kind};
    find.second = {.epoch = races_.order().now(thread),
                   .access = access.access,
                   .is_volatile = access.is_volatile,
                   .device = static_cast<std::uint8_t>(races_.order().device()),
                   .place = access.place};
    note(find, access, space);
  }
  if (access.access != Access::load) initialised_.mark(space, access.address, access.size, true);
}

// The version that the access finds in place of the present value; null where it finds that.
const OlderValues::Version* Checker::version_for(unsigned thread, const MemoryAccess& access,
                                                 Space space) {
  if (!finds_older_values_ || space.is_shared) return nullptr;
  const bool is_relaxed = (access.is_volatile || access.access == Access::atomic) &&
                          OlderValues::may_concern(access.address, access.size);
  if (!is_relaxed) {
    if (access.access != Access::load) older_values_.forget(access.address, access.size);
    return nullptr;
  }
  if (access.access == Access::store) {
    keep_version(thread, access, space);
    return nullptr;
  }
  const OlderValues::Version* older = nullptr;
  if (access.access == Access::load)
    older = older_values_.choose(access.address, access.size, races_.order(), thread, random_);
  else if (access.finds_older) older = chosen_;
  else carried_ = races_.message_of(access.address, space);
  older_values_.found(access.address, races_.order().now(thread), older);
  return older;
}

// A store is about to overwrite what is in memory.
void Checker::keep_version(unsigned thread, const MemoryAccess& access, Space space) {
  std::uint64_t old = 0;
  std::memcpy(&old, reinterpret_cast<const void*>(access.address), access.size);
  older_values_.overwritten(access.address, access.size, old,
                            races_.message_of(access.address, space),
                            {.epoch = races_.order().now(thread),
                             .access = access.access,
                             .is_volatile = access.is_volatile,
                             .place = access.place});
}

// The load that follows finds the version in memory. (An atomic has it already.)
void Checker::show(const OlderValues::Version& version, const MemoryAccess& access) {
  older_read_ = access.place;
  missed_store_ = version.overwritten_by.place;
  if (access.access != Access::load) return;
  present_ = {access.address, access.size, 0};
  std::memcpy(&present_->value, reinterpret_cast<const void*>(access.address), access.size);
  std::memcpy(reinterpret_cast<void*>(access.address), &version.value, access.size);
}

void Checker::copy(unsigned thread, const MemoryAccess& access, Space space, const CopyId& copy,
                   bool in_bulk) {
  settle_last_store();
  if (access.access == Access::store) {
    initialised_.mark(space, access.address, access.size, true);
    if (finds_older_values_ && !space.is_shared) older_values_.forget(access.address, access.size);
  }
  if (const auto race = races_.copy(thread, access, space, copy, in_bulk))
    note({*race, kernel_}, access, space);
}

void Checker::learn(unsigned thread, const CopyId& copies) {
  races_.order().learn(thread, {.acquired = copies.knowledge()});
}

void Checker::put_back() {
  std::memcpy(reinterpret_cast<void*>(present_->address), &present_->value, present_->size);
  present_.reset();
}

std::optional<std::uint64_t> Checker::older_value(unsigned thread, std::uintptr_t address,
                                                  std::size_t size) {
  if (!finds_older_values_ || !OlderValues::may_concern(address, size)) return {};
  chosen_ = older_values_.choose(address, size, races_.order(), thread, random_);
  return chosen_ == nullptr ? std::nullopt : std::optional(chosen_->value);
}

void Checker::changes(unsigned thread, std::uintptr_t address, std::size_t size, std::uint64_t old,
                      const Place& place) {
  if (!finds_older_values_ || !OlderValues::may_concern(address, size)) return;
  const Epoch now = races_.order().now(thread);
  older_values_.overwritten(address, size, old, std::move(carried_),
                            {.epoch = now, .access = Access::atomic, .place = place});
  older_values_.found(address, now, nullptr);
}

// Bytes that had no value have none in the copy.
void Checker::copied(const Location& to, const Location& from, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k)
    if (!initialised_.all_written(from.space, from.address + k, 1))
      initialised_.mark(to.space, to.address + k, 1, false);
}

void Checker::note(RawFinding find, const MemoryAccess& access, Space space) {
  const bool by_threads = !find.first.copier && !find.second.copier;
  const bool two_stores = find.first.access == Access::store &&
                          find.second.access == Access::store && find.first.exists() && by_threads;
  name_block(find.first);
  name_block(find.second);
  find.of_several = scheduler.devices().size() > 1;
  find.same_value = two_stores;  // until one store is seen to change what the other wrote
  RawFinding* const kept = findings_.add(find);
  // most are seen again and again
  if (kept != nullptr && kept->memory.empty()) kept->memory = in_words(access.address, space);
  if (kept == nullptr || !two_stores || !kept->same_value ||
      (space.is_shared && space.slot != scheduler.running().slot))
    return;
  const auto* const memory = reinterpret_cast<const unsigned char*>(access.address);
  last_store_ = {kept, access.address, {memory, memory + access.size}};
}

// As its grid numbers it.
void Checker::name_block(Seen& seen) const {
  if (!seen.exists()) return;
  seen.epoch.block -= *(std::ranges::upper_bound(first_blocks_, block_of(seen.epoch)) - 1);
}

// The hook comes before the store. By the next one it has been carried out, and nothing else has.
void Checker::settle_last_store() {
  if (!last_store_) return;
  const auto& [find, address, before] = *last_store_;
  if (std::memcmp(reinterpret_cast<const void*>(address), before.data(), before.size()) != 0)
    find->same_value = false;
  last_store_.reset();
}

std::string Checker::in_words(std::uintptr_t address, Space space) const {
  if (space.is_shared) {
    const std::string whose = space.slot == scheduler.running().slot
                                  ? ""
                                  : fmt::format(" of block {}", scheduler.block_in(space.slot));
    if (const auto offset = address - shared_memory.dynamic(space.slot); offset < most_shared_bytes)
      return fmt::format("dynamic shared memory{} + {} bytes", whose, offset);
    const Symbol* const array = Symbols::at(symbols_->shared_arrays, shared_offset(address));
    if (array == nullptr) return "static shared memory" + whose;
    return fmt::format("shared {}{} + {} bytes", last_name(array->name), whose,
                       shared_offset(address) - array->begin);
  }
  if (const Symbol* const variable = Symbols::at(symbols_->variables, address))
    return fmt::format("{} + {} bytes", last_name(variable->name), address - variable->begin);
  auto array = arrays_.upper_bound(address);
  if (array == arrays_.begin() || address >= (--array)->first + array->second.size)
    return fmt::format("global memory at {:#x}", address);
  return fmt::format("{} + {} bytes", array->second.name, address - array->first);
}

std::string Checker::name_of_array(std::uintptr_t begin) const {
  const auto array = arrays_.find(begin);
  return !active_ || array == arrays_.end() ? std::string() : array->second.name;
}

std::size_t Checker::static_shared_bytes(const void* kernel) const {
  if (!active_) return 0;
  const std::string owner = symbols_->function_at(address_of(kernel));
  std::size_t bytes = 0;
  for (const auto& [offset, array] : symbols_->shared_arrays)
    if (!owner.empty() && array.owner == owner) bytes += array.size;
  return bytes;
}

namespace {

// Whether the symbol has all these bytes.
bool holds(const Symbol* symbol, std::size_t place, std::size_t size) {
  return symbol != nullptr && place + size <= symbol->begin + symbol->size;
}

std::string past_end(std::string_view kind, const Symbol* symbol, std::size_t place) {
  return symbol == nullptr
             ? ""
             : fmt::format(": {}{} ({} bytes) + {} bytes", kind, last_name(symbol->name),
                           symbol->size, place - symbol->begin);
}

}  // namespace

bool Checker::is_variable(std::uintptr_t address, std::size_t size) const {
  return !active_ || !symbols_->known() ||
         holds(Symbols::at(symbols_->variables, address), address, size);
}

std::string Checker::past_shared_array(std::uintptr_t address) const {
  const std::size_t offset = shared_offset(address);
  return active_ ? past_end("shared ", Symbols::before(symbols_->shared_arrays, offset), offset)
                 : "";
}

std::string Checker::past_variable(std::uintptr_t address) const {
  return active_ ? past_end("", Symbols::before(symbols_->variables, address), address) : "";
}

bool Checker::is_static_shared(std::uintptr_t address, std::size_t size) const {
  if (!active_ || !symbols_->known()) return true;
  const std::size_t offset = shared_offset(address);
  const Symbol* const array = Symbols::at(symbols_->shared_arrays, offset);
  // Arrays of kernels lie side by side. Those of another kernel are no business of this one; who
  // calls which device function is not known.
  return holds(array, offset, size) &&
         (!array->of_kernel || kernel_symbol_.empty() || array->owner == kernel_symbol_);
}

}  // namespace ladder::emulated
