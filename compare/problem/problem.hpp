// A problem of any operation. compare/operations/<operation>.cpp supplies its inputs, exact result and arguments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compare/backend.hpp"
#include "compare/checksum.hpp"
#include "compare/operation.hpp"
#include "compare/problem/expected.hpp"
#include "compare/problem/guarded_array.hpp"
#include "compare/problem/watched_input.hpp"

namespace ladder {

// The problem of an operation that reads arrays of spec.n elements In, one for each generator, and writes one array of Out. Device: the operation's
// own struct. Key: the expected answer; verdict_on(got, key, summation, untouched) compares.
template <class Device, class In, class Out, class Key = Expected<Out>>
class TypedProblem final : public Problem {
 public:
  using Arguments = std::function<Device(const std::vector<const In*>& inputs, Out* output)>;
  using Leaves = std::function<std::unique_ptr<Problem>()>;
  using Remark = std::function<void(std::span<const Out> got, Verdict& verdict)>;  // adds to the verdict on a wrong answer

  TypedProblem(ProblemSpec spec, const std::vector<Generator<In>>& inputs, std::uint64_t outputs, const Arguments& arguments,
               const std::function<Key()>& key, Leaves leaves = {}, Remark remark = {})
      : spec_(std::move(spec)),
        leaves_(std::move(leaves)),
        remark_(std::move(remark)),
        output_(outputs * sizeof(Out), displacement(inputs.size()) * sizeof(Out)) {
    std::vector<const In*> pointers;
    pointers.reserve(inputs.size());
    for (const Generator<In>& generate : inputs)
      pointers.push_back(
          inputs_.emplace_back(std::make_unique<WatchedInput<In>>(generate, spec_.n, displacement(inputs_.size()) * sizeof(In)))->data());
    device_ = arguments(pointers, reinterpret_cast<Out*>(output_.data()));
    key_ = key();  // last: it takes long, and the arrays may not fit
    if (const std::span<const Out> all = exact_bits<Out>(key_); all.size() >= many) checksum_ = checksum_on_host(all.data(), all.size_bytes());
    poison();
  }

  const ProblemSpec& spec() const override { return spec_; }
  const void* device() const override { return &device_; }

  std::vector<std::span<std::byte>> inputs() const override {
    std::vector<std::span<std::byte>> all;
    for (const auto& input : inputs_) all.push_back(std::as_writable_bytes(std::span(input->data(), spec_.n)));
    return all;
  }

  void* host_output() override {
    if (backend::is_host_memory()) return output_.data();
    if (host_output_.size() * sizeof(Out) < output_.bytes()) {
      host_output_.resize(output_.bytes() / sizeof(Out));
      poison();
    }
    return host_output_.data();
  }

  void poison() override {
    backend::fill(output_.data(), poison_byte, output_.bytes());
    std::ranges::fill(std::as_writable_bytes(std::span(host_output_)), std::byte{poison_byte});
  }

  Verdict check(Contract contract, const Summation& summation) override {
    Verdict verdict = is_bit_for_bit(contract) ? Verdict{.pass = true, .reason = {}} : element_by_element(contract, summation);
    if (const std::string damage = output_.damage(); !damage.empty()) add_complaint(verdict, "wrote outside its output, " + damage);
    for (const auto& input : inputs_)
      if (const std::string damage = input->damage(); !damage.empty()) add_complaint(verdict, damage);
    return verdict;
  }

  bool depends_on_summation() const override { return ladder::depends_on_summation(key_); }
  std::unique_ptr<Problem> leaves() const override { return leaves_ ? leaves_() : nullptr; }

  void become(const Problem& other) override {
    const auto& its = dynamic_cast<const TypedProblem&>(other);
    if (its.spec_.n != spec_.n || its.output_.bytes() != output_.bytes()) throw std::invalid_argument("a problem becomes one of its own size only");
    for (std::size_t k = 0; k < inputs_.size(); ++k) inputs_[k]->become(*its.inputs_[k]);
    spec_ = its.spec_;
    key_ = its.key_;
    checksum_ = its.checksum_;
    poison();
  }

  std::vector<std::byte> output(Contract contract) override {
    std::vector<std::byte> bytes(output_.bytes());
    copy_output(contract, bytes.data());
    return bytes;
  }

  std::size_t output_bytes() const override { return output_.bytes(); }

  std::uint64_t output_checksum(Contract contract) override {
    if (contract == Contract::host_result) return checksum_on_host(host_output(), output_.bytes());
    return backend::checksum(output_.data(), output_.bytes());
  }

  std::uint64_t bytes_read() const override { return inputs_.size() * spec_.n * sizeof(In); }
  std::uint64_t bytes_written() const override { return output_.bytes(); }

 private:
  // In elements. With an offset of 1 all arrays lie at the same distance from a boundary, with most others each further than the one before.
  std::size_t displacement(std::size_t array) const { return spec_.offset == 0 ? 0 : spec_.offset + array * (spec_.offset - 1); }

  static constexpr std::size_t many = 1 << 16;  // so many outputs are compared by checksum first: on a GPU it takes a thousandth of the time

  bool is_bit_for_bit(Contract contract) { return checksum_ && output_checksum(contract) == *checksum_; }

  void copy_output(Contract contract, void* to) {
    if (output_.bytes() == 0) return;  // memcpy takes no null pointers
    if (contract == Contract::host_result) std::memcpy(to, host_output(), output_.bytes());
    else backend::download(to, output_.data(), output_.bytes());
  }

  Verdict element_by_element(Contract contract, const Summation& summation) {
    got_.resize(output_.bytes() / sizeof(Out));
    copy_output(contract, got_.data());
    Out untouched;
    std::memset(&untouched, poison_byte, sizeof untouched);
    Verdict verdict = verdict_on<Out>(got_, key_, summation, untouched);
    if (!verdict.pass && remark_) remark_(got_, verdict);
    return verdict;
  }

  static constexpr unsigned char poison_byte = 0xa5;  // no NaN or infinity of any type, which might be right

  static void add_complaint(Verdict& verdict, const std::string& complaint) {
    verdict.pass = false;
    verdict.reason += (verdict.reason.empty() ? "" : "; ") + complaint;
  }

  ProblemSpec spec_;
  Leaves leaves_;  // empty: there are none
  Remark remark_;
  std::vector<std::unique_ptr<WatchedInput<In>>> inputs_;
  GuardedArray output_;
  std::vector<Out> host_output_;
  std::vector<Out> got_;  // the answer that is looked at
  Key key_{};
  std::optional<std::uint64_t> checksum_;  // of the exact answer, where it is long and no error is allowed
  Device device_{};
};

}  // namespace ladder
