#include "compare/emulated/memory/symbols.hpp"

#include <elf.h>

#include <boost/core/demangle.hpp>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "compare/emulated/memory/names.hpp"
#include "compare/emulated/memory/program.hpp"

namespace ladder::emulated {

namespace {

// A variable of a function f, _Zf, is called _ZZfE4tile.
std::string owner_of(std::string_view mangled) {
  if (!mangled.starts_with("_ZZ")) return {};
  for (std::size_t end = mangled.rfind('E'); end != mangled.npos && end > 3;
       end = mangled.rfind('E', end - 1)) {
    std::size_t digits = end + 1;
    while (digits < mangled.size() && mangled[digits] >= '0' && mangled[digits] <= '9') ++digits;
    if (digits == end + 1) continue;
    const auto length = static_cast<std::size_t>(
        std::atoi(std::string(mangled.substr(end + 1, digits - end - 1)).c_str()));
    if (digits + length <= mangled.size()) return std::string(mangled.substr(3, end - 3));
  }
  return {};
}

bool is_kernel(const std::string& mangled) {
  const std::string function = boost::core::demangle(("_Z" + mangled).c_str());
  const std::string_view name = own_name(function);
  return name.substr(0, name.find('<')).find("_kernel") != name.npos;
}

}  // namespace

Symbols::Symbols() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
  if (image.size() < sizeof(Elf64_Ehdr)) return;
  const auto* const header = reinterpret_cast<const Elf64_Ehdr*>(image.data());
  const auto* const sections = reinterpret_cast<const Elf64_Shdr*>(image.data() + header->e_shoff);
  const std::uintptr_t base = find_program().load_address;
  for (const Elf64_Shdr& section : std::span(sections, header->e_shnum)) {
    if (section.sh_type != SHT_SYMTAB) continue;
    const char* const names = image.data() + sections[section.sh_link].sh_offset;
    const auto* const symbols =
        reinterpret_cast<const Elf64_Sym*>(image.data() + section.sh_offset);
    for (const Elf64_Sym& symbol : std::span(symbols, section.sh_size / sizeof(Elf64_Sym))) {
      const char* const name = names + symbol.st_name;
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
      if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS) {
        const std::string owner = owner_of(name);
        arrays_[symbol.st_value] = {symbol.st_value, symbol.st_size, owner, last_name(name),
                                    is_kernel(owner)};
      }
      if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT)
        variables_[base + symbol.st_value] = {base + symbol.st_value, symbol.st_size,
                                              owner_of(name), name,
                                              false};  // demangled when it is asked for
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && std::strncmp(name, "_Z", 2) == 0)
        functions_[base + symbol.st_value] = name + 2;
    }
  }
}

const Symbols::Array* Symbols::before(const Arrays& arrays, std::size_t offset) {
  auto array = arrays.upper_bound(offset);
  return array == arrays.begin() ? nullptr : &(--array)->second;
}

const Symbols::Array* Symbols::at(const Arrays& arrays, std::size_t offset) {
  const Array* const array = before(arrays, offset);
  return array != nullptr && offset < array->offset + array->size ? array : nullptr;
}

std::size_t Symbols::shared_bytes(const std::string& owner) const {
  std::size_t bytes = 0;
  for (const auto& [offset, array] : arrays_)
    if (!owner.empty() && array.owner == owner) bytes += array.size;
  return bytes;
}

std::string Symbols::function_at(std::uintptr_t address) const {
  const auto function = functions_.find(address);
  return function == functions_.end() ? std::string() : function->second;
}

}  // namespace ladder::emulated
