// The bytes that every implementation has to move for an input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compare/registry.hpp"
#include "reports/model/vocabulary.hpp"

namespace ladder {

// What a limit does, in device memory. It reads every input. Where it copies, the first goes to the
// output, which is as long. Else the bytes of all inputs are added to the first four bytes of the
// output, modulo 2^32, since the blocks of a reduction have to meet.
struct Movement {
  std::vector<std::span<const std::byte>> inputs;
  std::span<std::byte> output;
  bool copies = false;
  reports::Cache cache = reports::Cache::cold;
};

// What a backend measures the limit of an input with.
struct Mover {
  // the shortest run known there that moves these bytes, under device_result
  std::unique_ptr<Prepared> (*shortest)(const Movement& movement);
  // the sum of the bytes modulo 2^32, found in another way
  std::uint32_t (*byte_sum)(std::span<const std::byte> array);
};

}  // namespace ladder
