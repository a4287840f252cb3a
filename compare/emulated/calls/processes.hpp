// Processes on one host whose devices work together, one of each. They meet in a segment of shared
// memory (backend::new_group, backend::join_group).
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace ladder::emulated::processes {

unsigned ranks();  // 0: this one is alone

// take(offset, bytes of each process), for as many pieces as `own` has: in the order of the
// processes. Returns when all have taken all pieces, and waits for as long as that takes.
using Take =
    std::function<void(std::size_t offset, std::span<const std::span<const std::byte>> pieces)>;
void exchange(std::span<const std::byte> own, const Take& take);

}  // namespace ladder::emulated::processes
