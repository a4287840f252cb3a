// Watches each access of a kernel: tells what memory it goes to, whether that is allowed, and hands
// it on to whoever counts or checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "compare/emulated/checking/checker.hpp"
#include "compare/emulated/counting/traffic.hpp"
#include "compare/emulated/machine/observer.hpp"
#include "compare/emulated/memory/program.hpp"
#include "compare/emulated/types/fault.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

class Monitor final : public Observer {
 public:
  void begin(std::uint64_t seed) override;
  void begin_block(unsigned slot) override;
  void select(unsigned slot) override;

  void access(const MemoryAccess& access);
  // An access of an asynchronous copy, and one to a barrier, which is no traffic. Where it is.
  Location copy(Access access, const void* memory, std::size_t size, bool in_bulk, const CopyId& id,
                const Place& place);
  Location touch(const void* barrier, std::size_t size, const Place& place);
  // Bytes are about to be copied as they are, with or without a value.
  void copied(const void* to, const void* from, std::size_t size);

  // Whose shared memory it is; nothing where it is in none that the block reaches.
  std::optional<Location> shared_location(const void* pointer) const;

 private:
  // Stops the kernel where it may not be; nothing: constants.
  std::optional<Location> locate(const MemoryAccess& access);
  void refuse_past_end(const MemoryAccess& access, const Location& shared);
  std::optional<Location> shared_location(std::uintptr_t address) const;
  void count(const MemoryAccess& access, Space space);
  void check(MemoryAccess access, const Location& location);
  [[noreturn]] void stop(const MemoryAccess& access, FaultKind kind);

  Program program_;
};

extern Monitor monitor;

}  // namespace ladder::emulated
