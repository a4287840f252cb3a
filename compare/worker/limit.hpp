// The limit of an input: how long a run takes that reads and writes as many bytes as an
// implementation has to, and does nothing else. It is measured like an implementation, beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/operation.hpp"
#include "compare/registry.hpp"
#include "compare/worker/movement.hpp"

namespace ladder {

// A posed problem as the limit has it: with the same arrays, and right where all bytes moved.
class LimitProblem final : public Problem {
 public:
  LimitProblem(Problem& posed, reports::Cache cache);

  const ProblemSpec& spec() const override { return posed_.spec(); }
  const void* device() const override { return &movement_; }  // a Movement
  void* host_output() override { return posed_.host_output(); }
  void poison() override;
  std::vector<std::span<std::byte>> inputs() const override { return posed_.inputs(); }
  std::span<std::byte> answer() const override { return movement_.output; }
  Verdict check(Contract contract, const Summation& summation,
                RightAnswer* last_right = nullptr) override;
  void become(const Problem& other) override { posed_.become(other); }
  Output output(Contract contract, const Summation& summation) override {
    return posed_.output(contract, summation);
  }
  std::size_t output_bytes() const override { return posed_.output_bytes(); }
  std::uint64_t output_checksum(Contract contract) override {
    return posed_.output_checksum(contract);
  }
  std::uint64_t bytes_read() const override { return posed_.bytes_read(); }
  std::uint64_t bytes_written() const override { return posed_.bytes_written(); }

 private:
  std::uint32_t first_word() const;

  Problem& posed_;
  Movement movement_;
  std::uint64_t expected_ = 0;  // the checksum of a copy, or the sum of all bytes
  std::uint32_t before_ = 0;    // the first four bytes of the output, before the runs to check
};

// The limit of such inputs as an implementation: "limit/reduce/read".
class Limit {
 public:
  explicit Limit(const Kind& kind);

  const Implementation& rung() const { return rung_; }

 private:
  std::string path_;
  Implementation rung_{};
};

}  // namespace ladder
