// Checks what kernels do, while it is switched on: races (races.hpp), reads of memory that nobody
// wrote (initialised_memory.hpp), barriers that some threads of the block have left out. What it
// finds is kept, and the kernel goes on; what stops a kernel is a Fault, checked for or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/emulated/checking/races.hpp"
#include "compare/emulated/machine/observer.hpp"
#include "compare/emulated/types/memory_access.hpp"
#include "compare/protocol.hpp"

namespace ladder::emulated::checker {

bool active();
extern Races races;
extern std::uint64_t accesses;  // of threads to memory, looked at so far
Observer& observer();

// From the host. Where no check runs, the arrays are no concern.
void start();
void stop();
void forget_findings();
// Names device memory that is allocated from here on; those of one name are numbered from 2.
void call_arrays(std::string_view first, std::string_view others);
void call_next_array(std::string_view name);  // that one alone
void allocated(const void* array, std::size_t bytes);
void released(const void* array);
void written(const void* memory, std::size_t bytes);
// what lies in the array of that name counts as never written
void unwritten(std::string_view name);
std::vector<protocol::Finding> findings(bool remarks = false);
// the line of a shuffle that took a value from a lane that was not there; empty where none did
std::string absent_lanes();
// the last read that found an older value than there was, and the store that it missed; empty
// where none did
std::string older_values();
// in device memory; empty where it is not known
std::string name_of_array(std::uintptr_t begin);

// From the monitor and the calls, where it is active.
void access(unsigned thread, const MemoryAccess& access, Space space);
// Each of the two accesses of an asynchronous copy that the thread issues; then copied().
void copy(unsigned thread, const MemoryAccess& access, Space space, const CopyId& copy,
          bool in_bulk);
void copied(const Location& to, const Location& from, std::size_t size);
// A volatile read that finds an older value finds it in memory, until the next hook puts the
// present one back.
void settle();

// An atomic on a word of global memory that would change nothing may find an older value: one
// that it may find; or nothing.
std::optional<std::uint64_t> older_value(unsigned thread, std::uintptr_t address, std::size_t size);
// the atomic announced last does
void changes(unsigned thread, std::uintptr_t address, std::size_t size, std::uint64_t old,
             const Place& place);

// Whether the kernel that runs may access these bytes of static shared memory; as far as is known.
bool is_static_shared(std::uintptr_t address, std::size_t size);
// Whether they lie in one of the program's variables.
bool is_variable(std::uintptr_t address, std::size_t size);
// its own arrays, without those of the functions it calls
std::size_t static_shared_bytes(const void* kernel);
// ": shared tile (128 bytes) + 128 bytes", for an address at or past the end of an array; empty
// where none is known.
std::string past_shared_array(std::uintptr_t address);
std::string past_variable(std::uintptr_t address);

}  // namespace ladder::emulated::checker
