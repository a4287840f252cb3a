// The functions that `g++ -fsanitize=thread` calls around every access to memory, in place of the sanitizer's own. The return address tells which
// instruction of the source it is. Linux's KCSAN uses the same instrumentation with a runtime of its own.
//
// In host code the hooks do nothing. Not seen: memcpy and memset called by name on more than a few bytes.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "compare/emulated/monitor.hpp"
#include "compare/emulated/runtime.hpp"
#include "compare/emulated/scheduler.hpp"

namespace ladder::emulated {

namespace {

// Not for local memory: others never see that, and it costs no traffic.
void shared_or_global(const MemoryAccess& access) {
  if (--scheduler.turn_left == 0) scheduler.end_turn(access.address);
  scheduler.in_kernel = false;
  scheduler.last_access = access.address;
  if (access.access == Access::store) scheduler.progress();
  monitor.access(access);
  scheduler.in_kernel = true;
}

bool concerns_us(std::uintptr_t address) {
  return scheduler.in_kernel && !scheduler.is_local(address);
}

__attribute__((always_inline)) inline void on_access(Access access, void* pointer, std::size_t size, bool needs_alignment, const void* instruction,
                                                     bool is_volatile = false) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (concerns_us(address)) shared_or_global({access, address, size, needs_alignment, is_volatile, {instruction}});
}

// A volatile read is how a thread waits for another.
__attribute__((always_inline)) inline void on_volatile_read(void* pointer, std::size_t size, bool needs_alignment, const void* instruction) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!concerns_us(address)) return;
  scheduler.wait_on(address);
  shared_or_global({Access::load, address, size, needs_alignment, true, {instruction}});
}

// Larger than any instruction: what the hardware does in steps of 16 bytes.
void on_range(Access access, void* pointer, std::size_t size, const void* instruction) {
  auto* byte = static_cast<char*>(pointer);
  while (size > 0) {
    const std::size_t step = size < 16 ? size : 16;
    on_access(access, byte, step, false, instruction);
    byte += step;
    size -= step;
  }
}

void on_atomic(const void* pointer, std::size_t size, const void* instruction, std::optional<Here> where) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!concerns_us(address)) return;
  if (--scheduler.turn_left == 0) scheduler.end_turn(address);
  scheduler.in_kernel = false;
  monitor.access({Access::atomic, address, size, true, false, {instruction, where}});
  scheduler.in_kernel = true;
}

}  // namespace

void before_atomic(const void* address, std::size_t size, Here where) {
  on_atomic(address, size, __builtin_return_address(0), where);
}

// An atomic that changes nothing is how a thread waits for another.
void after_atomic(const void* pointer, bool changed) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!concerns_us(address)) return;
  if (changed) scheduler.progress();
  else scheduler.wait_on(address);
}

void pass_time() {
  if (scheduler.in_kernel) scheduler.wait_on(0);
}

void fence(Scope scope) {
  if (!scheduler.in_kernel) return;
  scheduler.wait_on(0);
  scheduler.in_kernel = false;
  monitor.fence(scope);
  scheduler.in_kernel = true;
}

}  // namespace ladder::emulated

using namespace ladder::emulated;

// NOLINTBEGIN: the names, and so the repetition, are the sanitizer's
// clang-format off
#define HERE __builtin_return_address(0)

#define ACCESSES(size)                                                                                     \
  void __tsan_read##size(void* p) { on_access(Access::load, p, size, true, HERE); }                        \
  void __tsan_write##size(void* p) { on_access(Access::store, p, size, true, HERE); }                      \
  void __tsan_unaligned_read##size(void* p) { on_access(Access::load, p, size, false, HERE); }             \
  void __tsan_unaligned_write##size(void* p) { on_access(Access::store, p, size, false, HERE); }           \
  void __tsan_volatile_read##size(void* p) { on_volatile_read(p, size, true, HERE); }                      \
  void __tsan_volatile_write##size(void* p) { on_access(Access::store, p, size, true, HERE, true); }       \
  void __tsan_unaligned_volatile_read##size(void* p) { on_volatile_read(p, size, false, HERE); }           \
  void __tsan_unaligned_volatile_write##size(void* p) { on_access(Access::store, p, size, false, HERE, true); }

// Host code in the instrumented files comes here too, and may share its atomics with other OS threads: so they are real ones.
#define ATOMICS(bits, T)                                                                                            \
  T __tsan_atomic##bits##_load(const volatile T* p, int) {                                                          \
    on_atomic(const_cast<const T*>(p), sizeof(T), HERE, {});                                                        \
    const T value = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                           \
    after_atomic(const_cast<const T*>(p), false);                                                                   \
    return value;                                                                                                   \
  }                                                                                                                 \
  void __tsan_atomic##bits##_store(volatile T* p, T value, int) {                                                   \
    on_atomic(const_cast<const T*>(p), sizeof(T), HERE, {});                                                        \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                                   \
    after_atomic(const_cast<const T*>(p), true);                                                                    \
  }                                                                                                                 \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T value, int, int) {                \
    on_atomic(const_cast<const T*>(p), sizeof(T), HERE, {});                                                        \
    const bool swapped = __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    after_atomic(const_cast<const T*>(p), swapped);                                                                 \
    return swapped;                                                                                                 \
  }                                                                                                                 \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T value, int, int) {                  \
    return __tsan_atomic##bits##_compare_exchange_strong(p, expected, value, 0, 0);                                 \
  }                                                                                                                 \
  UPDATE(bits, T, exchange, __atomic_exchange_n)                                                                    \
  UPDATE(bits, T, fetch_add, __atomic_fetch_add)                                                                    \
  UPDATE(bits, T, fetch_sub, __atomic_fetch_sub)                                                                    \
  UPDATE(bits, T, fetch_and, __atomic_fetch_and)                                                                    \
  UPDATE(bits, T, fetch_or, __atomic_fetch_or)                                                                      \
  UPDATE(bits, T, fetch_xor, __atomic_fetch_xor)                                                                    \
  UPDATE(bits, T, fetch_nand, __atomic_fetch_nand)

#define UPDATE(bits, T, name, builtin)                                  \
  T __tsan_atomic##bits##_##name(volatile T* p, T value, int) {         \
    on_atomic(const_cast<const T*>(p), sizeof(T), HERE, {});            \
    const T old = builtin(p, value, __ATOMIC_SEQ_CST);                  \
    after_atomic(const_cast<const T*>(p), old != *p);                   \
    return old;                                                         \
  }

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

void __tsan_read_range(void* p, std::size_t size) { on_range(Access::load, p, size, HERE); }
void __tsan_write_range(void* p, std::size_t size) { on_range(Access::store, p, size, HERE); }

void __tsan_atomic_thread_fence(int) { fence(Scope::device); }
void __tsan_atomic_signal_fence(int) {}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}  // kernels have no virtual functions
void __tsan_vptr_read(void**) {}
}
// clang-format on
// NOLINTEND
