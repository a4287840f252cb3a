#include "compare/emulated/checker.hpp"

#include <fmt/format.h>

#include <cstring>

#include "compare/emulated/arena.hpp"

namespace ladder::emulated {

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
  absent_lanes_.reset();
}

void Checker::call_arrays(std::string_view first, std::string_view others) {
  named_.clear();
  next_name_ = first;
  later_name_ = others;
}

void Checker::allocated(const void* array, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(array);
  initialised_.allocated(address, bytes);
  const unsigned number = ++named_[next_name_];
  arrays_[address] = {number == 1 ? next_name_ : fmt::format("{} {}", next_name_, number), bytes};
  next_name_ = later_name_;
}

void Checker::released(const void* array) {
  settle_last_store();
  initialised_.released(reinterpret_cast<std::uintptr_t>(array));
  arrays_.erase(reinterpret_cast<std::uintptr_t>(array));
}

void Checker::written(const void* memory, std::size_t bytes) {
  settle_last_store();
  initialised_.written_global(reinterpret_cast<std::uintptr_t>(memory), bytes);
}

void Checker::unwritten(std::string_view name) {
  settle_last_store();
  for (const auto& [address, array] : arrays_)
    if (array.name == name) initialised_.unwritten_global(address, array.size);
}

std::vector<Finding> Checker::findings() {
  settle_last_store();
  return findings_.in_words();
}

void Checker::begin_kernel(const void* kernel) {
  kernel_ = kernel;
  kernel_symbol_ = symbols_->function_at(reinterpret_cast<std::uintptr_t>(kernel));
  races_.begin_kernel();
}

void Checker::begin_block(unsigned block) {
  settle_last_store();
  races_.begin_block(block);
  initialised_.begin_block();
}

void Checker::exchange(OfBlock& block) {
  settle_last_store();
  races_.order.exchange(block.order);
  races_.exchange(block.races);
  initialised_.exchange(block.initialised);
}

void Checker::barrier(unsigned absent, const Place& place) {
  if (absent > 0) {
    Find find{.kernel = kernel_, .kind = Finding::Kind::exited_before_barrier, .absent = absent};
    find.second.epoch = races_.order.now(0);
    find.second.place = place;
    findings_.add(find);
  }
  races_.order.barrier();
}

void Checker::access(unsigned thread, const MemoryAccess& access, Space space, const unsigned char* dynamic_shared) {
  settle_last_store();
  const bool is_global = space == Space::global;
  if (access.access != Access::store &&
      !(is_global ? initialised_.is_global(access.address, access.size) : initialised_.is_shared(access.address, access.size))) {
    Find find{.kernel = kernel_, .kind = is_global ? Finding::Kind::uninitialised_global : Finding::Kind::uninitialised_shared};
    find.second = {races_.order.now(thread), access.access, access.is_volatile, false, access.place};
    note(find, access, space, dynamic_shared);
  }
  if (access.access != Access::load) {
    if (is_global) initialised_.written_global(access.address, access.size);
    else initialised_.written_shared(access.address, access.size);
  }

  if (const auto race = races_.access(thread, access, space))
    note({.kernel = kernel_, .kind = Finding::Kind::race, .first = race->first, .second = race->second, .one_fence_short = race->one_fence_short},
         access, space, dynamic_shared);
}

void Checker::note(Find find, const MemoryAccess& access, Space space, const unsigned char* dynamic_shared) {
  find.memory = in_words(access.address, space, dynamic_shared);
  const bool two_stores = find.first.access == Access::store && find.second.access == Access::store && find.first.exists();
  find.same_value = two_stores;  // until one store is seen to change what the other wrote
  Find* const kept = findings_.add(find);
  if (kept == nullptr || !two_stores || !kept->same_value) return;
  const auto* const memory = reinterpret_cast<const unsigned char*>(access.address);
  last_store_ = {kept, access.address, {memory, memory + access.size}};
}

// The hook comes before the store. By the next one it has been carried out, and nothing else has.
void Checker::settle_last_store() {
  if (!last_store_) return;
  const auto& [find, address, before] = *last_store_;
  if (std::memcmp(reinterpret_cast<const void*>(address), before.data(), before.size()) != 0) find->same_value = false;
  last_store_.reset();
}

std::string Checker::in_words(std::uintptr_t address, Space space, const unsigned char* dynamic_shared) const {
  if (space == Space::shared) {
    if (const auto offset = address - reinterpret_cast<std::uintptr_t>(dynamic_shared); offset < 1u << 20)
      return fmt::format("dynamic shared memory + {} bytes", offset);
    const Symbols::SharedArray* const array = symbols_->array_at(address - static_shared_);
    return array == nullptr ? "static shared memory" : fmt::format("shared {} + {} bytes", array->name, address - static_shared_ - array->offset);
  }
  auto array = arrays_.upper_bound(address);
  if (array == arrays_.begin() || address >= (--array)->first + array->second.size) return fmt::format("global memory at {:#x}", address);
  return fmt::format("{} + {} bytes", array->second.name, address - array->first);
}

bool Checker::is_static_shared(std::size_t offset, std::size_t size) const {
  if (!symbols_->known()) return true;
  const Symbols::SharedArray* const array = symbols_->array_at(offset);
  if (array == nullptr || offset + size > array->offset + array->size) return false;
  // Arrays of kernels lie side by side. Those of another kernel are no business of this one; who calls which device function is not known.
  const bool of_a_kernel = array->owner.find("_kernel") != std::string::npos;
  return !of_a_kernel || kernel_symbol_.empty() || array->owner == kernel_symbol_;
}

}  // namespace ladder::emulated
