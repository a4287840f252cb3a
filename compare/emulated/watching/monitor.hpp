// Watches each access of a kernel: tells what memory it goes to, whether that is allowed, and hands
// it on to whoever counts or checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "compare/emulated/checking/checker.hpp"
#include "compare/emulated/counting/traffic.hpp"
#include "compare/emulated/machine/observer.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated::monitor {

Observer& observer();

void access(const MemoryAccess& access);
// An access of an asynchronous copy, and one to a barrier, which is no traffic. Where it is.
Location copy(Access access, const void* memory, std::size_t size, bool in_bulk, const CopyId& id,
              const Place& place);
Location touch(const void* barrier, std::size_t size, const Place& place);
// Bytes are about to be copied as they are, with or without a value.
void copied(const void* to, const void* from, std::size_t size);

// Whose shared memory it is; nothing where it is in none that the block reaches.
std::optional<Location> shared_location(const void* pointer);

// "offset 4096 of input (4096 bytes)"
std::string in_words(std::uintptr_t address);

}  // namespace ladder::emulated::monitor
