// The runner's view of operations: one interface for every operation, element type and operator.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/contract.hpp"
#include "reports/model/model.hpp"

namespace ladder {

// One input of one operation.
struct ProblemSpec {
  std::string operation;
  std::string op;  // empty where the operation has no operator
  std::string dtype;
  std::uint64_t n = 0;
  std::string distribution;  // one of Kind::distributions
  unsigned bins = 0;         // 0 where the operation has none
  std::uint64_t seed = 1;
  // elements by which arrays are displaced from a 256-byte boundary: by 1 all alike, by more each
  // farther than the last
  unsigned offset = 0;

  // the data is spread over so many; 0: it lies on one, for implementations that know of no other
  unsigned devices = 0;
  bool process_for_each_device = false;

  static void fields(auto& self, const auto& field){
      LADDER_EACH_FIELD(operation, op, dtype, n, distribution, bins, seed, offset)
          LADDER_FIELD_WITH(devices, .if_set = true)
              LADDER_FIELD_WITH(process_for_each_device, .if_set = true)}

  std::string in_words() const;  // "n = 1025, i32, sum, random"

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
  auto operator<=>(const ProblemSpec&) const = default;
};

// Whether one run gave the right answer.
struct Verdict {
  bool pass = false;
  // why not: which element, what it is, what it should be; empty where it passes
  std::string reason;
  // largest distance from the exact result, in units in the last place of the element type
  double ulp_max = 0;
  double relative = 0;
  double bound = 0;  // allowed |error|; 0: the same bits
  // false: no error bound means anything here (h * u >= 1/2); only NaN and infinities were compared
  bool bounded = true;
  // elements that a histogram did not count, where it wrote all its counts
  std::optional<std::uint64_t> lost_counts = {};
  // largest |error| / allowed |error| of an element; null: no element has a finite bound above 0
  std::optional<double> of_bound = {};
};

// The checksums of an answer that was found right, and the verdict on it.
struct RightAnswer {
  std::vector<std::uint64_t> checksums = {};  // of what each device has; empty: there is none yet
  Verdict verdict = {};
};

// The height of the tree that combines the elements of each result. Empty: not known.
using Heights = std::vector<std::uint32_t>;

// How an implementation sums floats, as far as that is known.
struct Summation {
  Heights heights = {};
  bool is_compensated = false;
  bool flushes_subnormals = false;  // of f32, each time that it adds
  // Of elements that others convert before they accumulate them: it leaves a value in their type,
  // at the start of the output; and it accumulates in their type.
  bool returns_elements = false, accumulates_elements = false;

  bool operator==(const Summation&) const = default;
};

struct Output {
  std::string_view dtype;  // of its elements, where these are floats
  std::vector<std::byte> bytes;
};

// An operation posed on one input: the input in device memory, a poisoned output with canaries on
// both sides, a second output on the host, and the exact answer.
class Problem {
 public:
  virtual ~Problem() = default;
  virtual const ProblemSpec& spec() const = 0;
  // the operation's Device struct, for an implementation's constructor
  virtual const void* device() const = 0;
  virtual void* host_output() = 0;  // where a host_result leaves its answer
  // overwrites the output, so a run that writes nothing is noticed
  virtual void poison() = 0;
  // The arrays in device memory that the operation reads.
  virtual std::vector<std::span<std::byte>> inputs() const { return {}; }
  // Where the answer is in device memory, of data on one device.
  virtual std::span<std::byte> answer() const { return {}; }
  // Compares the output with the exact answer, and canaries and input with their former values.
  // Never throws for a wrong answer. contract: says where the output is. summation: of the
  // implementation that gave the answer; where its heights are not known, the bound allows any
  // order of combination. last_right: the last right answer of that implementation to this input.
  // An answer with its checksums is right, and the host does not fetch it. Each other right answer
  // that was looked at replaces it. After become() it is void.
  virtual Verdict check(Contract contract, const Summation& summation,
                        RightAnswer* last_right = nullptr) = 0;
  virtual bool depends_on_summation() const { return false; }  // whether check() does
  // The same problem for an implementation over Height (operators.hpp): as many elements of height
  // 0, with the same alignment. An answer is right if a tree of such heights exists. Null where the
  // operation has no operator, or there are too many elements.
  virtual std::unique_ptr<Problem> leaves() const { return nullptr; }
  virtual Heights heights(Contract) { return {}; }  // the answer to that problem
  // Takes over the input and the exact answer of another problem of the same operation and size,
  // into its own memory.
  virtual void become(const Problem& other) = 0;
  // As it is now. summation: of the implementation that gave it.
  virtual Output output(Contract contract, const Summation& summation) = 0;
  virtual std::size_t output_bytes() const = 0;
  // Of data over devices, of what all of them have.
  virtual std::uint64_t output_checksum(Contract contract) = 0;
  virtual std::uint64_t bytes_read() const = 0;     // every input once
  virtual std::uint64_t bytes_written() const = 0;  // the output once
};

// One operation for one element type and operator.
struct Kind {
  std::string_view op, dtype;  // op: empty where the operation has no operator
  // Throws std::invalid_argument (a sentence) for a distribution that the operation, type or
  // operator does not have, backend::OutOfMemory where the input does not fit.
  std::unique_ptr<Problem> (*pose)(const ProblemSpec& spec);
  // the distributions it takes; kinds() has the usual one first
  std::vector<std::string_view> distributions;
  const reports::Operation* operation = nullptr;  // set by kinds()
};

// An operation registers itself, by a constant of this type in its source: there is no list to add
// it to. Its operators are those of its kinds.
struct RegisterOperation {
  RegisterOperation(const reports::Operation& operation,
                    const std::vector<std::vector<Kind>>& kinds);
};

// All operations of this program, and all their kinds, in order of their places. Throw
// std::logic_error where two have one name.
const std::vector<reports::Operation>& operations();
const std::vector<Kind>& kinds();
// null: there is none
const Kind* find_kind(std::string_view operation, std::string_view op, std::string_view dtype);

}  // namespace ladder
