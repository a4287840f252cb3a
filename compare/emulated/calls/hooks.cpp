// The functions that `g++ -fsanitize=thread` calls around every access to memory, in place of the
// sanitizer's own. The return address tells which instruction of the source it is. Linux's KCSAN
// uses the same instrumentation with a runtime of its own.
//
// In host code the hooks do nothing. memcpy, memmove and memset by name, and a struct that is too
// large for an access, end in __wrap_memcpy and so on.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>

#include "compare/emulated/calls/runtime.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/emulated/watching/monitor.hpp"

namespace ladder::emulated {

namespace {

// Not for local memory: others never see that, and it costs no traffic.
void shared_or_global(const MemoryAccess& access) {
  if (--scheduler::turn_left == 0) scheduler::end_turn(access.address);
  const InRuntime runtime;
  scheduler::last_access = access.address;
  if (access.access == Access::store) scheduler::progress();
  monitor::access(access);
}

bool concerns_us(std::uintptr_t address) {
  return scheduler::in_kernel && !scheduler::is_local(address);
}

// What other blocks may look at.
void meet_blocks(std::uintptr_t address) {
  if (arena.contains(address) || scheduler::grid().cluster > 1) scheduler::meet_blocks();
}

// Called with all it needs in registers.
__attribute__((noinline)) void plain_access(Access access, std::uintptr_t address, std::size_t size,
                                            bool needs_alignment, const void* instruction) {
  shared_or_global({access, address, size, instruction, needs_alignment});
}

__attribute__((always_inline)) inline void on_access(Access access, const void* pointer,
                                                     std::size_t size, bool needs_alignment,
                                                     const void* instruction) {
  const auto address = address_of(pointer);
  if (concerns_us(address)) plain_access(access, address, size, needs_alignment, instruction);
}

// A volatile access, or one with a word for the caches. A volatile read is how a thread waits for
// another.
void on_marked_access(const MemoryAccess& access) {
  if (!concerns_us(access.address)) return;
  const bool is_load = access.access == Access::load;
  if (is_load) scheduler::note_look(access.place);
  if (is_load && access.is_volatile) scheduler::wait_on(access.address);
  if (access.is_volatile) meet_blocks(access.address);
  shared_or_global(access);
}

void on_volatile(Access access, const void* pointer, std::size_t size, bool needs_alignment,
                 const void* instruction) {
  on_marked_access({access, address_of(pointer), size, instruction, needs_alignment, true});
}

// A struct, or what is copied as bytes: the hardware does it in steps of 16 bytes or fewer.
void on_range(Access access, const void* pointer, std::size_t size, const void* instruction) {
  const auto* byte = static_cast<const char*>(pointer);
  while (size > 0) {
    const std::size_t step = size < 16 ? size : 16;
    on_access(access, byte, step, false, instruction);
    byte += step;
    size -= step;
  }
}

// What the compiler has announced before it copies a struct by memcpy, or fills one by memset.
struct {
  void* to;
  std::size_t size;
} announced;

void on_copy(void* to, const void* from, std::size_t size, const void* instruction) {
  if (!scheduler::in_kernel) return;
  const bool is_struct = announced.to == to && announced.size == size;
  announced = {};
  if (is_struct) return;
  if (from != nullptr) on_range(Access::load, from, size, instruction);
  on_range(Access::store, to, size, instruction);
  const InRuntime runtime;
  if (from != nullptr) monitor::copied(to, from, size);
}

void take_turn(std::uintptr_t address) {
  if (--scheduler::turn_left == 0) scheduler::end_turn(address);
  meet_blocks(address);
}

void on_atomic(const void* pointer, std::size_t size, Finds finds, Scope scope,
               const Place& place) {
  const InRuntime runtime;
  scheduler::note_look(place);
  monitor::access({.access = Access::atomic,
                   .address = address_of(pointer),
                   .size = size,
                   .place = place,
                   .is_exchange = finds == Finds::nothing,
                   .finds_older = finds == Finds::older,
                   .of_system = scope == Scope::system});
}

// std::atomic and what is like it.
void on_cpp_atomic(const volatile void* pointer, std::size_t size, const void* instruction) {
  const auto address = address_of(pointer);
  if (!concerns_us(address)) return;
  take_turn(address);
  on_atomic(const_cast<const void*>(pointer), size, Finds::present, Scope::system, instruction);
}

}  // namespace

void begin_atomic(const void* pointer) {
  if (concerns_us(address_of(pointer))) take_turn(address_of(pointer));
}

namespace {

bool may_be_old(const void* pointer) {
  return checker::active() && scheduler::in_kernel && arena.contains(address_of(pointer));
}

}  // namespace

bool older_value(const void* pointer, std::size_t size, void* value) {
  if (!may_be_old(pointer)) return false;
  const InRuntime runtime;
  const auto older = checker::older_value(scheduler::current, address_of(pointer), size);
  if (older) std::memcpy(value, &*older, size);
  return older.has_value();
}

void before_atomic(const void* pointer, std::size_t size, Finds finds, Scope scope, Here where) {
  if (concerns_us(address_of(pointer))) on_atomic(pointer, size, finds, scope, where);
}

void atomic_changes(const void* pointer, std::size_t size, const void* old, Here where) {
  if (!may_be_old(pointer)) return;
  const InRuntime runtime;
  std::uint64_t value = 0;
  std::memcpy(&value, old, size);
  checker::changes(scheduler::current, address_of(pointer), size, value, where);
}

void announce(Announced what, const void* pointer, std::size_t size, Here where) {
  const bool is_store = what == Announced::store || what == Announced::volatile_store;
  on_marked_access(
      {.access = is_store ? Access::store : Access::load,
       .address = address_of(pointer),
       .size = size,
       .place = where,
       .is_volatile = what == Announced::volatile_load || what == Announced::volatile_store,
       .is_read_only = what == Announced::read_only_load});
}

std::int64_t ticks() {
  static std::int64_t cycles = 0;
  return cycles += 64;
}

// An atomic that changes nothing is how a thread waits for another.
void after_atomic(const void* pointer, bool changed) {
  const auto address = address_of(pointer);
  if (!concerns_us(address)) return;
  if (changed) scheduler::progress();
  else scheduler::wait_on(address);
}

void pass_time() {
  if (!scheduler::in_kernel) return;
  scheduler::wait_on(0);
  scheduler::meet_blocks();
}

void fence(Scope scope) {
  if (!scheduler::in_kernel) return;
  pass_time();
  const InRuntime runtime;
  if (checker::active()) checker::races.fence(scheduler::current, scope);
}

}  // namespace ladder::emulated

using namespace ladder::emulated;

// NOLINTBEGIN: the names, and so the repetition, are the sanitizer's
#define HERE __builtin_return_address(0)

#define ACCESS(name, size, hook, access, is_aligned) \
  void __tsan_##name##size(void* p) {                \
    hook(Access::access, p, size, is_aligned, HERE); \
  }
#define ACCESSES(size)                                            \
  ACCESS(read, size, on_access, load, true)                       \
  ACCESS(write, size, on_access, store, true)                     \
  ACCESS(unaligned_read, size, on_access, load, false)            \
  ACCESS(unaligned_write, size, on_access, store, false)          \
  ACCESS(volatile_read, size, on_volatile, load, true)            \
  ACCESS(volatile_write, size, on_volatile, store, true)          \
  ACCESS(unaligned_volatile_read, size, on_volatile, load, false) \
  ACCESS(unaligned_volatile_write, size, on_volatile, store, false)

// Host code in the instrumented files comes here too, and may share its atomics with other OS
// threads: so they are real ones.
#define ATOMICS(bits, T)                                                                           \
  T __tsan_atomic##bits##_load(const volatile T* p, int) {                                         \
    on_cpp_atomic(p, sizeof(T), HERE);                                                             \
    const T value = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                          \
    after_atomic(const_cast<const T*>(p), false);                                                  \
    return value;                                                                                  \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile T* p, T value, int) {                                  \
    on_cpp_atomic(p, sizeof(T), HERE);                                                             \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                  \
    after_atomic(const_cast<const T*>(p), true);                                                   \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T value, int,      \
                                                    int) {                                         \
    on_cpp_atomic(p, sizeof(T), HERE);                                                             \
    const bool swapped = __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST,  \
                                                     __ATOMIC_SEQ_CST);                            \
    after_atomic(const_cast<const T*>(p), swapped);                                                \
    return swapped;                                                                                \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T value, int, int) { \
    return __tsan_atomic##bits##_compare_exchange_strong(p, expected, value, 0, 0);                \
  }                                                                                                \
  UPDATE(bits, T, exchange, __atomic_exchange_n)                                                   \
  UPDATE(bits, T, fetch_add, __atomic_fetch_add)                                                   \
  UPDATE(bits, T, fetch_sub, __atomic_fetch_sub)                                                   \
  UPDATE(bits, T, fetch_and, __atomic_fetch_and)                                                   \
  UPDATE(bits, T, fetch_or, __atomic_fetch_or)                                                     \
  UPDATE(bits, T, fetch_xor, __atomic_fetch_xor)                                                   \
  UPDATE(bits, T, fetch_nand, __atomic_fetch_nand)

#define UPDATE(bits, T, name, builtin)                          \
  T __tsan_atomic##bits##_##name(volatile T* p, T value, int) { \
    on_cpp_atomic(p, sizeof(T), HERE);                          \
    const T old = builtin(p, value, __ATOMIC_SEQ_CST);          \
    after_atomic(const_cast<const T*>(p), old != *p);           \
    return old;                                                 \
  }

namespace {

// What -fsanitize=bounds and shift hand over is described in GCC's ubsan.cc.
struct PlaceData {
  const char* file;
  std::uint32_t line, column;
};
struct TypeData {
  // info of an integer: whether it is signed, and then the logarithm of its bits
  std::uint16_t kind, info;
  char name[1];
};

struct IndexData {
  PlaceData place;
  const TypeData *array, *index;
};
struct ShiftData {
  PlaceData place;
  const TypeData *shifted, *by;
};

std::int64_t value_of(const TypeData& type, std::uintptr_t bits) {
  const unsigned unused = 64 - std::min(64U, 1U << (type.info >> 1));
  const bool is_signed = (type.info & 1) != 0;
  return is_signed ? static_cast<std::int64_t>(bits << unused) >> unused
                   : static_cast<std::int64_t>(bits);
}

// What is said is put together by functions whose accesses are none of the kernel's.
bool leaves_kernel() {
  return std::exchange(scheduler::in_kernel, false);
}

// text: behind the name of the thread.
void stop_at(const PlaceData& place, std::string_view kind, const std::string& text) {
  scheduler::stop(
      {.place = Here{place.file, place.line, place.column},
       .text = fmt::format("{}: {} {}", kind,
                           scheduler::grid().shape.thread_in_words(scheduler::current), text)});
}

}  // namespace

extern "C" {

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)

void __tsan_read_range(void* p, std::size_t size) {
  on_range(Access::load, p, size, HERE);
}
void __tsan_write_range(void* p, std::size_t size) {
  on_range(Access::store, p, size, HERE);
  announced = {p, size};
}

// The linker leads every call of memcpy, memmove and memset here (--wrap).
void* __real_memcpy(void* to, const void* from, std::size_t size);
void* __real_memmove(void* to, const void* from, std::size_t size);
void* __real_memset(void* to, int value, std::size_t size);
void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
  on_copy(to, from, size, HERE);
  return __real_memcpy(to, from, size);
}
void* __wrap_memmove(void* to, const void* from, std::size_t size) {
  on_copy(to, from, size, HERE);
  return __real_memmove(to, from, size);
}
void* __wrap_memset(void* to, int value, std::size_t size) {
  on_copy(to, nullptr, size, HERE);
  return __real_memset(to, value, size);
}

// The C library's name, and CUDA's too.
clock_t __real_clock();
clock_t __wrap_clock() {
  return scheduler::in_kernel ? ticks() : __real_clock();
}

[[noreturn]] void __real___assert_fail(const char* condition, const char* file, unsigned line,
                                       const char* function);
[[noreturn]] void __wrap___assert_fail(const char* condition, const char* file, unsigned line,
                                       const char* function) {
  if (!scheduler::in_kernel) __real___assert_fail(condition, file, line, function);
  scheduler::in_kernel = false;
  scheduler::stop({.place = Here{file, line, 0},
                   .text = fmt::format("{}: the assertion {} does not hold.",
                                       scheduler::grid().shape.thread_in_words(scheduler::current),
                                       condition)});
}

// From -fsanitize=bounds, where an array of known length has no such element, and from
// -fsanitize=shift-exponent.
void __ubsan_handle_out_of_bounds(IndexData* data, std::uintptr_t index) {
  if (!leaves_kernel()) return;
  stop_at(data->place, "out of bounds",
          fmt::format("takes element {} of an array of type {}. Mind the index, or make the array "
                      "larger.",
                      value_of(*data->index, index), data->array->name));
}
void __ubsan_handle_out_of_bounds_abort(IndexData* data, std::uintptr_t index) {
  __ubsan_handle_out_of_bounds(data, index);
}
void __ubsan_handle_shift_out_of_bounds(ShiftData* data, std::uintptr_t, std::uintptr_t by) {
  if (!leaves_kernel()) return;
  stop_at(data->place, "shift too far",
          fmt::format("shifts a value of type {} by {} bits, which C++ leaves undefined. A GPU "
                      "shifts all bits out, the CPU does not. Write that case apart.",
                      data->shifted->name, value_of(*data->by, by)));
}
void __ubsan_handle_shift_out_of_bounds_abort(ShiftData* data, std::uintptr_t value,
                                              std::uintptr_t by) {
  __ubsan_handle_shift_out_of_bounds(data, value, by);
}

void __tsan_atomic_thread_fence(int) {
  fence(Scope::system);
}
void __tsan_atomic_signal_fence(int) {}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}  // kernels have no virtual functions
void __tsan_vptr_read(void**) {}
}
// NOLINTEND
