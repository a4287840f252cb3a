// A problem of any operation: its arrays in device memory, guarded and watched, with the exact answer. compare/operations/<operation>.cpp adds
// what is particular: the inputs, the answer and the arguments.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compare/backend.hpp"
#include "compare/operation.hpp"

namespace ladder {

// The exact result, and how far from each of its elements an answer may lie. Bound 0: equal, where -0 equals +0 and NaN only NaN.
template <class T>
struct Expected {
  std::vector<T> exact;
  std::vector<double> bound;
  bool bounded = true;
};

// An array in device memory, displaced from a 256-byte boundary, with a guard on both sides.
class GuardedArray {
 public:
  GuardedArray(std::size_t bytes, std::size_t displacement);
  GuardedArray(const GuardedArray&) = delete;
  GuardedArray& operator=(const GuardedArray&) = delete;
  ~GuardedArray();

  std::byte* data() const;
  std::size_t bytes() const { return bytes_; }
  void write_guards();
  bool guards_hold() const;

 private:
  std::size_t bytes_, displacement_;
  std::byte* memory_;
};

// An input: its guarded array, and what it must still hold after a run.
class WatchedInput {
 public:
  WatchedInput(const void* values, std::size_t bytes, std::size_t displacement);
  std::byte* data() const { return array_.data(); }
  std::string complaint() const;  // empty where nothing was touched

 private:
  GuardedArray array_;
  std::vector<std::byte> original_;
};

// Distance of an answer from the exact result, judged element by element.
template <class T>
Verdict compare(const std::vector<T>& got, const Expected<T>& expected) {
  Verdict verdict;
  verdict.pass = true;
  verdict.bounded = expected.bounded;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto exact = static_cast<double>(expected.exact[i]);
    const double bound = expected.bound[i];
    bool right = got[i] == expected.exact[i];
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(expected.exact[i]) || std::isnan(got[i])) right = std::isnan(expected.exact[i]) && std::isnan(got[i]);
      else if (!right && std::isfinite(got[i]) && std::isfinite(exact)) {
        const double distance = std::abs(static_cast<double>(got[i]) - exact);
        right = !expected.bounded || distance <= bound;
        const double ulp = static_cast<double>(std::nextafter(std::abs(expected.exact[i]), std::numeric_limits<T>::infinity())) - std::abs(exact);
        verdict.ulp_max = std::max(verdict.ulp_max, distance / ulp);
        if (exact != 0) verdict.relative = std::max(verdict.relative, distance / std::abs(exact));
      }
    }
    verdict.bound = std::max(verdict.bound, bound);
    if (!right && wrong++ == 0) {
      verdict.pass = false;
      verdict.reason = fmt::format("element {} of {} is {}, not {}", i, got.size(), got[i], expected.exact[i]);
      if (bound > 0) verdict.reason += fmt::format(" within {:.3g}", bound);
    }
  }
  if (wrong > 1) verdict.reason += fmt::format("; {} elements are wrong", wrong);
  return verdict;
}

// One input of `Host::Operation`. Host is what an operation adds for the runner, all static:
//   using Operation, Element, Result;
//   constexpr unsigned inputs;                                                             arrays of n elements that it reads
//   std::vector<Element> input(const ProblemSpec&, unsigned which);
//   std::size_t results(const ProblemSpec&);                                               elements that it writes
//   Expected<Result> expect(const ProblemSpec&, const std::vector<std::vector<Element>>& inputs);
//   typename Operation::Device device(const ProblemSpec&, const std::vector<const Element*>& inputs, Result* out);
template <class Host>
class TypedProblem final : public Problem {
 public:
  using Element = typename Host::Element;
  using Result = typename Host::Result;

  explicit TypedProblem(const ProblemSpec& spec)
      : spec_(spec), output_(Host::results(spec) * sizeof(Result), std::size_t{spec.offset} * sizeof(Result)) {
    std::vector<std::vector<Element>> values;
    std::vector<const Element*> pointers;
    for (unsigned k = 0; k < Host::inputs; ++k) {
      values.push_back(Host::input(spec, k));
      inputs_.push_back(std::make_unique<WatchedInput>(values[k].data(), values[k].size() * sizeof(Element), spec.offset * sizeof(Element)));
      pointers.push_back(reinterpret_cast<const Element*>(inputs_[k]->data()));
    }
    expected_ = Host::expect(spec, values);
    device_ = Host::device(spec, pointers, reinterpret_cast<Result*>(output_.data()));
    poison();
  }

  const ProblemSpec& spec() const override { return spec_; }
  const void* device() const override { return &device_; }

  void poison() override {
    backend::fill(output_.data(), poison_byte, output_.bytes());
    output_.write_guards();
  }

  Verdict check() override {
    for (const auto& input : inputs_) {
      if (const std::string complaint = input->complaint(); !complaint.empty()) return {.pass = false, .reason = complaint};
    }
    if (!output_.guards_hold()) return {.pass = false, .reason = "wrote outside its output"};
    const std::vector<std::byte> bytes = output();
    std::vector<Result> got(bytes.size() / sizeof(Result));
    if (!got.empty()) std::memcpy(got.data(), bytes.data(), bytes.size());
    Verdict verdict = compare(got, expected_);
    if (!verdict.pass && std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{poison_byte}; })) {
      verdict.reason = "wrote nothing: the output is as it was before the run";
    }
    return verdict;
  }

  std::vector<std::byte> output() override {
    std::vector<std::byte> bytes(output_.bytes());
    backend::download(bytes.data(), output_.data(), bytes.size());
    return bytes;
  }

  std::uint64_t minimum_bytes() const override { return Host::inputs * spec_.n * sizeof(Element) + output_.bytes(); }

 private:
  static constexpr unsigned char poison_byte = 0xa5;  // a large negative integer, a tiny negative float: the answer to nothing that is posed

  ProblemSpec spec_;
  std::vector<std::unique_ptr<WatchedInput>> inputs_;
  GuardedArray output_;
  Expected<Result> expected_;
  typename Host::Operation::Device device_;
};

// The entry of one operation for one element type and operator.
template <class Host>
Operation describe_operation(std::string_view op, std::vector<std::string_view> distributions) {
  return {Host::Operation::name, op, dtype_of<typename Host::Element>(),
          [](const ProblemSpec& spec) -> std::unique_ptr<Problem> { return std::make_unique<TypedProblem<Host>>(spec); }, std::move(distributions)};
}

}  // namespace ladder
