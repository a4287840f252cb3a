#include "compare/system.hpp"

#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

namespace ladder::host {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\"");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\"") - first + 1);
}

// The value of the first line "<key><separator><value>" of a file; empty where there is none.
std::string value_of(const char* file, std::string_view key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto at = line.find(separator);
    if (at != line.npos && trimmed(std::string_view(line).substr(0, at)) == key)
      return std::string(trimmed(std::string_view(line).substr(at + 1)));
  }
  return {};
}

std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// "32768K" -> 2^25, "24675148 kB" likewise; nothing where it is no number.
std::optional<std::uint64_t> bytes(const std::string& text) {
  std::istringstream in(text);
  std::uint64_t value = 0;
  char unit = ' ';
  if (!(in >> value)) return std::nullopt;
  in >> unit;
  return value << (unit == 'k' || unit == 'K' ? 10 : unit == 'M' ? 20 : 0);
}

// What the control group of this container still allows; pages of files count as free, as they do
// in MemAvailable.
std::optional<std::uint64_t> available_in_control_group() {
  // "max" where there is no limit
  const auto limit = bytes(first_line("/sys/fs/cgroup/memory.max"));
  const auto used = bytes(first_line("/sys/fs/cgroup/memory.current"));
  if (!limit || !used) return std::nullopt;
  const auto inactive =
      bytes(value_of("/sys/fs/cgroup/memory.stat", "inactive_file", ' ')).value_or(0);
  const auto active = bytes(value_of("/sys/fs/cgroup/memory.stat", "active_file", ' ')).value_or(0);
  const auto held = *used - std::min(*used, inactive + active);
  return *limit - std::min(*limit, held);
}

}  // namespace

std::string cpu_model() {
  std::string model = value_of("/proc/cpuinfo", "model name", ':');
  if (!model.empty()) return model;
  utsname name{};
  uname(&name);
  return name.machine;  // some architectures have no model name
}

unsigned cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
}

std::uint64_t total_memory() {
  return bytes(value_of("/proc/meminfo", "MemTotal", ':')).value_or(0);
}

std::uint64_t available_memory() {
  const auto machine = bytes(value_of("/proc/meminfo", "MemAvailable", ':')).value_or(0);
  return std::min(machine, available_in_control_group().value_or(machine));
}

std::uint64_t last_level_cache_bytes() {
  namespace fs = std::filesystem;
  static const std::uint64_t found = [] {
    unsigned highest = 0;
    // of the highest level, by the processors that share each
    std::map<std::string, std::uint64_t> caches;
    std::error_code none;
    for (const auto& cpu : fs::directory_iterator("/sys/devices/system/cpu", none)) {
      for (const auto& cache : fs::directory_iterator(cpu.path() / "cache", none)) {
        const auto level = bytes(first_line(cache.path() / "level"));
        const auto size = bytes(first_line(cache.path() / "size"));
        if (!level || !size || *level < highest ||
            first_line(cache.path() / "type") == "Instruction")
          continue;
        if (*level > highest) caches.clear();
        highest = static_cast<unsigned>(*level);
        caches[first_line(cache.path() / "shared_cpu_list")] = *size;
      }
    }
    std::uint64_t total = 0;
    for (const auto& [processors, size] : caches) total += size;
    return total > 0 ? total : std::uint64_t{32} << 20;
  }();
  return found;
}

std::string os_name() {
  return value_of("/etc/os-release", "PRETTY_NAME", '=');
}

std::string kernel_name() {
  utsname name{};
  uname(&name);
  return std::string(name.sysname) + " " + name.release;
}

}  // namespace ladder::host
