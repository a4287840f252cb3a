#include "compare/emulated/memory/symbols.hpp"

#include <elf.h>

#include <boost/core/demangle.hpp>
#include <charconv>
#include <cstring>
#include <fstream>
#include <istream>
#include <string_view>
#include <vector>

#include "compare/emulated/memory/names.hpp"
#include "compare/emulated/memory/program.hpp"

namespace ladder::emulated {

namespace {

// A variable of a function f, _Zf, is called _ZZfE4tile.
std::string owner_of(std::string_view mangled) {
  if (!mangled.starts_with("_ZZ")) return {};
  const char* const past = mangled.data() + mangled.size();
  for (std::size_t end = mangled.rfind('E'); end != mangled.npos && end > 3;
       end = mangled.rfind('E', end - 1)) {
    std::ptrdiff_t length = 0;
    const auto [name, error] = std::from_chars(mangled.data() + end + 1, past, length);
    if (error == std::errc() && length <= past - name)
      return std::string(mangled.substr(3, end - 3));
  }
  return {};
}

bool is_kernel(const std::string& mangled) {
  const std::string function = boost::core::demangle(("_Z" + mangled).c_str());
  const std::string_view name = own_name(function);
  return name.substr(0, name.find('<')).find("_kernel") != name.npos;
}

template <class T>
std::vector<T> read(std::istream& file, std::size_t from, std::size_t count) {
  std::vector<T> values(count);
  file.seekg(static_cast<std::streamoff>(from));
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(count * sizeof(T)));
  if (!file) values.clear();
  return values;
}

}  // namespace

Symbols::Symbols() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const auto headers = read<Elf64_Ehdr>(file, 0, 1);
  if (headers.empty()) return;
  const Elf64_Ehdr& header = headers.front();
  const auto sections = read<Elf64_Shdr>(file, header.e_shoff, header.e_shnum);
  const std::uintptr_t base = find_program().load_address;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB) continue;
    const Elf64_Shdr& of_names = sections[section.sh_link];
    const auto names = read<char>(file, of_names.sh_offset, of_names.sh_size);
    for (const Elf64_Sym& symbol :
         read<Elf64_Sym>(file, section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
      const char* const name = names.data() + symbol.st_name;
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      const bool is_shared = type == STT_TLS;
      const std::size_t place = is_shared ? symbol.st_value : base + symbol.st_value;
      if (type == STT_FUNC && std::strncmp(name, "_Z", 2) == 0) functions_[place] = name + 2;
      if (!is_shared && type != STT_OBJECT) continue;
      const std::string owner = owner_of(name);
      (is_shared ? shared_arrays : variables)[place] = {place, symbol.st_size, owner, name,
                                                        is_shared && is_kernel(owner)};
    }
  }
  for (const auto& [place, array] : shared_arrays)
    if (!array.owner.empty()) shared_bytes_[array.owner] += array.size;
}

const Symbol* Symbols::before(const ByPlace& symbols, std::size_t place) {
  const auto next = symbols.upper_bound(place);
  return next == symbols.begin() ? nullptr : &std::prev(next)->second;
}

const Symbol* Symbols::at(const ByPlace& symbols, std::size_t place) {
  const Symbol* const symbol = before(symbols, place);
  return symbol != nullptr && place < symbol->begin + symbol->size ? symbol : nullptr;
}

std::size_t Symbols::shared_bytes_of(const std::string& function) const {
  const auto bytes = shared_bytes_.find(function);
  return bytes == shared_bytes_.end() ? 0 : bytes->second;
}

std::string Symbols::function_at(std::uintptr_t address) const {
  const auto function = functions_.find(address);
  return function == functions_.end() ? std::string() : function->second;
}

}  // namespace ladder::emulated
