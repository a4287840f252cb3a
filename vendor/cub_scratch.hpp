// The scratch memory of a call of CUB: a call that gets none only says how much it needs.
#pragma once

#include <cstddef>

#include "compare/launch.hpp"

namespace ladder {

class CubScratch {
 public:
  // Asks call(scratch, bytes), and allocates.
  explicit CubScratch(const auto& call) {
    gpu::check(call(nullptr, bytes_));
    block_ = DeviceArray<unsigned char>(bytes_);
  }

  void operator()(const auto& call) { gpu::check(call(block_.data(), bytes_)); }

 private:
  std::size_t bytes_ = 0;
  DeviceArray<unsigned char> block_;
};

}  // namespace ladder
