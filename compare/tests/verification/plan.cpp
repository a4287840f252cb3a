#include "compare/tests/verification/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "reports/model/element_types.hpp"

namespace ladder::tests {
namespace {

using protocol::OperationListing;
using protocol::VerifyRequest;

// Where kernels go wrong.
constexpr std::uint64_t sizes[] = {
    0,  // nothing: the identity
    1,
    2,
    3,  // less than any pair, vector or warp needs
    31,
    32,
    33,  // a warp
    63,
    64,
    65,  // two warps: one step of the tree across warps
    127,
    128,
    129,  // the smallest block in use
    255,
    256,
    257,  //
    511,
    512,
    513,  // the notes' block
    1023,
    1024,
    1025,  // the largest block, and two of the notes' slices
    2047,
    2048,
    2049,  // the tile of 512 threads that load 16 bytes each
    4095,
    4096,
    4097,  // eight of the notes' slices
    8191,
    8192,
    8193,  // two tiles of those
    7,
    97,
    1009,
    10'007,  // primes: no multiple of anything
    1000,
    3000,  // multiples of 8 that fill no warp, block or tile
    // past a change of shape
    16'385,
    // 2^16 + 1: over a hundred blocks, and one element alone in the last
    65'537,
};

// Where rungs change their shape, on a GPU of eight multiprocessors; other changes are among the
// sizes above. One input is enough.
constexpr std::uint64_t sizes_at_changes[] = {16'384, 65'536};

// where `waves_by_size` takes one_wave in place of redundant_reads, with elements of 4 bytes
constexpr std::uint64_t sizes_of_scans[] = {32'768, 32'769};

// where `bytes` takes more than one block
constexpr std::uint64_t sizes_of_bytes[] = {49'152, 49'153};

// Fewer and more than a warp, a block and shared memory hold, and no power of two.
constexpr unsigned other_bins[] = {1, 2, 10, 33, 64, 1000, 1024, 65'536};

// The first and last element, and both sides of the edge of each warp, block and tile.
constexpr std::uint64_t edges[] = {0,   1,   31,   32,   63,   64,   127,  128,  255, 256,
                                   511, 512, 1023, 1024, 2047, 2048, 4095, 4096, 4098};
constexpr std::uint64_t past_every_edge = 4099;  // a prime

VerifyRequest request(const OperationListing& operation, std::uint64_t n, std::string distribution,
                      std::uint64_t seed = 1) {
  VerifyRequest made;
  made.problem.operation = operation.operation;
  made.problem.op = operation.op;
  made.problem.dtype = operation.dtype;
  made.problem.n = n;
  made.problem.bins = operation.usual_bins;
  made.problem.distribution = std::move(distribution);
  made.problem.seed = seed;
  return made;
}

bool offers(const OperationListing& operation, const char* distribution) {
  return std::ranges::find(operation.distributions, distribution) != operation.distributions.end();
}

// The input that a lost or doubled element shows in bit for bit.
std::string telling(const OperationListing& operation) {
  return offers(operation, "dyadic") ? "dyadic" : operation.distributions.front();
}

using Requests = std::vector<VerifyRequest>;

void add_every_size(const OperationListing& operation, Requests& to) {
  for (const std::uint64_t n : sizes) {
    to.push_back(request(operation, n, telling(operation)));
    if (telling(operation) != operation.distributions.front())
      to.push_back(request(operation, n, operation.distributions.front()));
  }
  for (const std::uint64_t n : sizes_at_changes)
    to.push_back(request(operation, n, telling(operation)));
  if (operation.dtype == "u8")
    for (const std::uint64_t n : sizes_of_bytes)
      to.push_back(request(operation, n, operation.distributions.front()));
  if (operation.operation.ends_with("_scan") && reports::element_type(operation.dtype).bytes == 4)
    for (const std::uint64_t n : sizes_of_scans)
      to.push_back(request(operation, n, telling(operation)));
}

void add_every_distribution(const OperationListing& operation, Requests& to) {
  for (const std::string& distribution : operation.distributions) {
    for (const std::uint64_t n : {1, 2, 33, 1000})
      for (std::uint64_t seed = 0; seed < 5; ++seed)
        to.push_back(request(operation, n, distribution, seed));  // 5: every kind of special value
    to.push_back(request(operation, past_every_edge, distribution));
  }
}

void add_every_edge(const OperationListing& operation, Requests& to) {
  if (!offers(operation, "one_hot")) return;
  for (const std::uint64_t edge : edges)
    to.push_back(request(operation, past_every_edge, "one_hot", edge));
}

void add_every_alignment(const OperationListing& operation, Requests& to) {
  for (const std::uint64_t n : {5ULL, 1000ULL, static_cast<unsigned long long>(past_every_edge)})
    for (unsigned offset = 1; offset < 16; ++offset) {
      // the widest load is 16 bytes: four elements of 4 bytes, or 16 bytes
      if (n == past_every_edge && offset > 4 && operation.dtype != "u8") break;
      to.push_back(request(operation, n, telling(operation)));
      to.back().problem.offset = offset;
    }
}

void add_every_bin_count(const OperationListing& operation, Requests& to) {
  if (operation.usual_bins == 0) return;
  for (const unsigned bins : other_bins) {
    if (bins > operation.most_bins) continue;
    for (const std::string& distribution : operation.distributions) {
      to.push_back(request(operation, past_every_edge, distribution));
      to.back().problem.bins = bins;
    }
  }
}

void add_every_schedule(const OperationListing& operation, Requests& to) {
  for (const std::uint64_t n : {33ULL, 1000ULL, static_cast<unsigned long long>(past_every_edge)}) {
    for (const std::string& distribution : {telling(operation), operation.distributions.front()}) {
      to.push_back(request(operation, n, distribution));
      to.back().repeats = 2;
      to.back().schedules = {0, 1, 2, 3};
    }
  }
}

}  // namespace

Requests whole_plan(const OperationListing& operation) {
  Requests all;
  add_every_size(operation, all);
  add_every_distribution(operation, all);
  add_every_bin_count(operation, all);
  add_every_schedule(operation, all);
  return all;
}

Requests placement_plan(const OperationListing& operation) {
  Requests all;
  add_every_edge(operation, all);
  add_every_alignment(operation, all);
  // a third level, where a block takes 512
  all.push_back(request(operation, 512 * 512 + 1, telling(operation)));
  return all;
}

Requests values_plan(const OperationListing& operation) {
  Requests all = short_plan(operation);
  for (const std::uint64_t n : {2, 511, 512, 513, 10'007})
    all.push_back(request(operation, n, telling(operation)));
  all.push_back(request(operation, 1000, telling(operation)));
  all.back().schedules = {0, 1, 2, 3};
  return all;
}

Requests edges_plan(const OperationListing& operation) {
  Requests all;
  for (const std::uint64_t n : sizes)
    if (n <= past_every_edge) all.push_back(request(operation, n, telling(operation)));
  add_every_edge(operation, all);
  return all;
}

Requests vectors_plan(const OperationListing& operation) {
  Requests all = values_plan(operation);
  add_every_edge(operation, all);
  all.push_back(request(operation, 65'537, telling(operation)));
  for (unsigned offset = 1; offset <= 8; ++offset) {
    all.push_back(request(operation, 1000, telling(operation)));
    all.back().problem.offset = offset;
  }
  return all;
}

Requests conversions_plan(const OperationListing& operation) {
  Requests all;
  for (const std::string& distribution : operation.distributions)
    for (std::uint64_t seed = 11; seed < 16; ++seed)
      all.push_back(request(operation, 33, distribution, seed));
  for (const unsigned offset : {0, 1}) {
    all.push_back(request(operation, 1009, telling(operation)));
    all.back().problem.offset = offset;
  }
  return all;
}

Requests huge_plan(const OperationListing& operation) {
  constexpr std::uint64_t past_31_bits = (std::uint64_t{1} << 31) + past_every_edge;
  return {request(operation, past_31_bits, operation.distributions.front())};
}

Requests short_plan(const OperationListing& operation) {
  Requests all;
  for (const std::uint64_t n : {0, 1, 1009})
    all.push_back(request(operation, n, operation.distributions.front(), 11));
  for (const std::string& distribution : operation.distributions) {
    for (std::uint64_t seed = 11; seed < 16; ++seed)
      all.push_back(request(operation, 33, distribution, seed));
    // where one is hot, the last
    all.push_back(request(operation, past_every_edge, distribution, past_every_edge - 1));
  }
  all.push_back(request(operation, past_every_edge, telling(operation)));
  all.back().problem.offset = 1;
  return all;
}

Requests shapes_plan(const OperationListing& operation, bool on_a_gpu) {
  Requests all;
  for (const std::uint64_t n : {1009, 65'537})
    all.push_back(request(operation, n, telling(operation)));
  if (on_a_gpu)
    for (const std::uint64_t n : {1 << 20, 1 << 24})
      all.push_back(request(operation, n + 3, telling(operation)));
  return all;
}

Requests changes_plan(const OperationListing& operation) {
  constexpr std::uint64_t multiprocessors = 132,
                          kib_of_multiprocessor[] = {2, 4, 8, 16, 64, 96, 128, 180, 192, 256, 1536};
  const std::uint64_t arrays = operation.operation == "dot" ? 2 : 1;
  const std::uint64_t bytes = reports::element_type(operation.dtype).bytes;
  Requests all;
  for (const std::uint64_t kib : kib_of_multiprocessor)
    for (const std::uint64_t past : {0, 1})
      all.push_back(request(operation, (kib << 10) * multiprocessors / (arrays * bytes) + past,
                            telling(operation)));
  return all;
}

Requests devices_plan(const OperationListing& operation, unsigned devices) {
  Requests all;
  for (std::uint64_t n = 0; n <= 2 * devices + 1; ++n)
    all.push_back(request(operation, n, telling(operation)));
  for (const std::uint64_t n : {std::uint64_t{33}, std::uint64_t{1000}, std::uint64_t{65'537}})
    all.push_back(request(operation, n, telling(operation)));
  for (const std::string& distribution : operation.distributions)
    all.push_back(request(operation, past_every_edge, distribution, devices));
  for (unsigned offset = 1; offset < 4; ++offset) {
    all.push_back(request(operation, past_every_edge, telling(operation)));
    all.back().problem.offset = offset;
  }
  if (operation.usual_bins > 0) {
    for (const unsigned bins : {1U, 10U, 65'536U}) {
      if (bins > operation.most_bins) continue;
      all.push_back(request(operation, past_every_edge, telling(operation)));
      all.back().problem.bins = bins;
    }
  }
  for (const std::uint64_t n : {std::uint64_t{devices}, past_every_edge}) {
    all.push_back(request(operation, n, telling(operation)));
    // what a run leaves behind, the second after it meets, in both of two places
    all.back().repeats = 3;
    all.back().schedules = {0, 1, 2, 3};
  }
  for (auto& one : all) one.problem.devices = devices;
  return all;
}

std::uint64_t elements_of(const Requests& plan) {
  std::uint64_t elements = 0;
  for (const VerifyRequest& one : plan)
    elements += one.problem.n * one.repeats * std::max<std::size_t>(one.schedules.size(), 1);
  return elements;
}

std::string in_words(const ProblemSpec& p) {
  return fmt::format(
      "{}{} of {}, n = {}{}{}, {}, seed {}, offset {}", p.operation, p.op.empty() ? "" : " " + p.op,
      p.dtype, p.n, p.devices == 0 ? "" : fmt::format(" over {} devices", p.devices),
      p.bins == 0 ? "" : fmt::format(", {} bins", p.bins), p.distribution, p.seed, p.offset);
}

}  // namespace ladder::tests
