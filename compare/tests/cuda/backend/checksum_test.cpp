// The checksums of a GPU are those of the host.
#include "compare/checksum.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "compare/backend.hpp"
#include "compare/team.hpp"
#include "compare/tests/catch.hpp"
#include "compare/worker/run.hpp"

using namespace ladder;

TEST_CASE("each device sums up arrays as the host does, whatever their size and place") {
  constexpr std::array<std::size_t, 11> sizes{0, 1, 2, 3, 4, 5, 7, 8, 9, 1024, 70'001};
  constexpr std::size_t starts = 4;  // of a word
  std::vector<std::byte> bytes(sizes.back() + starts);
  for (std::size_t k = 0; k < bytes.size(); ++k)
    bytes[k] = static_cast<std::byte>(37 * k + k / 256);
  Team(backend::devices()).each([&](unsigned device, Stream) {
    const Memory memory(backend::allocate(bytes.size()));
    backend::upload(memory.get(), bytes.data(), bytes.size());
    const auto* const there = static_cast<const std::byte*>(memory.get());
    for (const std::size_t size : sizes) {
      INFO("device " << device << ", " << size << " bytes");
      std::vector<std::span<const std::byte>> on_device, on_host;
      for (std::size_t start = 0; start < starts; ++start) {
        on_device.emplace_back(there + start, size);
        on_host.emplace_back(bytes.data() + start, size);
      }
      CHECK(backend::checksums(on_device) == checksums_on_host(on_host));
    }
  });
}
