// A problem of any operation. compare/operations/<operation>.cpp supplies its inputs, exact result
// and arguments.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compare/backend.hpp"
#include "compare/checksum.hpp"
#include "compare/elements.hpp"
#include "compare/operation.hpp"
#include "compare/problem/any_tree.hpp"
#include "compare/problem/expected.hpp"
#include "compare/problem/guarded_array.hpp"
#include "compare/problem/long_array.hpp"
#include "compare/problem/watched_input.hpp"
#include "compare/team.hpp"

namespace ladder {

// Elements `first` to `first` + `n` of an answer.
struct Stretch {
  std::uint64_t first, n;
};

// An element of the array that an operation writes.
template <class Device>
using ResultOf = std::remove_pointer_t<decltype(Device::out)>;

// The problem of an operation that reads arrays of spec.n elements In, one for each generator, and
// writes one array of Out. Device: the operation's own struct. Key: the expected answer;
// verdict_on(got, key, summation, untouched) compares.
//
// Spread over devices, each has a part of the input: as many elements as the others, or one more.
// An answer with an element for each of the input's is spread in the same way; any other is on
// every device, whole.
template <class Device, class In, class Key = Expected<ResultOf<Device>>>
class TypedProblem final : public Problem {
 public:
  using Out = ResultOf<Device>;
  using Arguments =
      std::function<Device(const std::vector<const In*>& inputs, std::uint64_t n, Out* output)>;
  using Leaves = std::function<std::unique_ptr<Problem>()>;
  // adds to the verdict on a wrong answer
  using Remark = std::function<void(std::span<const Out> got, Verdict& verdict)>;

  using Checksums = std::function<std::vector<std::uint64_t>(const std::vector<Stretch>& parts)>;

  // exact_checksums: of parts of the exact answer, where no error is allowed. A long answer is
  // compared by them alone, and takes no room on the host. If they differ, key is called then, so
  // what it captures must outlive this call.
  TypedProblem(const ProblemSpec& spec, const std::vector<Generator<In>>& inputs,
               reports::Output output, const Arguments& arguments, const std::function<Key()>& key,
               Leaves leaves = {}, Remark remark = {}, const Checksums& exact_checksums = {})
      : spec_(spec),
        leaves_(std::move(leaves)),
        remark_(std::move(remark)),
        is_in_parts_(output == reports::Output::one_per_element) {
    outputs_ = is_in_parts_ ? spec.n : output == reports::Output::one_per_bin ? spec.bins : 1;
    if (spec.devices == 0) {
      parts_.push_back(std::make_unique<Part>(spec, inputs, 0, spec.n, outputs_));
      device_ = arguments_of(*parts_.back(), arguments);
    } else {
      team_.emplace(spec.devices);
      spread_ = {&*team_, std::vector<Device>(spec.devices), is_in_parts_};
      team_->each([&](unsigned device, Stream) {
        const std::uint64_t first = start_of(device), n = start_of(device + 1) - first;
        parts_.push_back(
            std::make_unique<Part>(spec, inputs, first, n, is_in_parts_ ? n : outputs_));
        spread_.shards[device] = arguments_of(*parts_.back(), arguments);
      });
    }
    // Last: it takes long, and the arrays may not fit.
    if (exact_checksums && outputs_ >= many) {
      std::vector<Stretch> stretches;
      for (const auto& part : parts_) stretches.push_back({part->first, part->n});
      checksums_ = exact_checksums(stretches);
      later_ = key;
    } else {
      key_ = key();
      if (const auto all = exact_bits<Out>(*key_); all.size() >= many)
        checksums_ = checksums_of_parts(all);
    }
    poison();
  }

  const ProblemSpec& spec() const override { return spec_; }
  const void* device() const override {
    return team_ ? static_cast<const void*>(&spread_) : &device_;
  }

  std::vector<std::span<std::byte>> inputs() const override {
    std::vector<std::span<std::byte>> all;
    for (const auto& part : parts_)
      for (const auto& input : part->inputs)
        all.push_back(std::as_writable_bytes(std::span(input->data(), part->n)));
    return all;
  }

  std::span<std::byte> answer() const override {
    return {parts_.front()->output.data(), parts_.front()->output.bytes()};
  }

  void* host_output() override {
    if (backend::is_host_memory()) return parts_.front()->output.data();
    if (host_output_.size() < outputs_) {
      host_output_.resize(outputs_);
      poison();
    }
    return host_output_.data();
  }

  void poison() override {
    for (const auto& part : parts_)
      backend::fill(part->output.data(), poison_byte, part->output.bytes());
    std::ranges::fill(std::as_writable_bytes(std::span(host_output_)), std::byte{poison_byte});
  }

  Verdict check(Contract contract, const Summation& summation, RightAnswer* last_right) override {
    std::vector<Sums> found;
    for (const auto& part : parts_) found.push_back(part->checksums());
    Verdict verdict =
        verdict_on_answer(contract, summation, checksums_of_answer(contract, found), last_right);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const std::string& damage : parts_[p]->damage(found[p]))
        add_complaint(verdict, damage, p);
    return verdict;
  }

  Heights heights(Contract contract) override {
    Heights all;
    if constexpr (std::is_same_v<Key, AnyTree>) {
      got_.resize(outputs_);
      copy_output(contract, reinterpret_cast<std::byte*>(got_.data()));
      for (const Out& height : got_)  // of nothing: 0
        all.push_back(static_cast<std::uint32_t>(std::max<Accumulator<Out>>(height, 0)));
    }
    return all;
  }

  bool depends_on_summation() const override {  // a key that is made later allows no error
    return key_ && ladder::depends_on_summation(*key_);
  }
  std::unique_ptr<Problem> leaves() const override { return leaves_ ? leaves_() : nullptr; }

  void become(const Problem& other) override {
    const auto& its = dynamic_cast<const TypedProblem&>(other);
    if (its.spec_.n != spec_.n || its.outputs_ != outputs_ || its.spec_.devices != spec_.devices)
      throw std::invalid_argument("a problem becomes one of its own size only");
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (std::size_t k = 0; k < parts_[p]->inputs.size(); ++k)
        parts_[p]->inputs[k]->become(*its.parts_[p]->inputs[k]);
    spec_ = its.spec_;
    key_ = its.key_;
    later_ = its.later_;
    checksums_ = its.checksums_;
    poison();
  }

  Output output(Contract contract, const Summation& summation) override {
    std::vector<std::byte> bytes(output_bytes());
    copy_output(contract, bytes.data());
    if constexpr (is_float<In>) {
      if (!summation.returns_elements) return {dtype_of<Out>(), std::move(bytes)};
      bytes.resize(outputs_ * sizeof(In));
      return {dtype_of<In>(), std::move(bytes)};
    }
    return {{}, std::move(bytes)};
  }

  std::size_t output_bytes() const override { return outputs_ * sizeof(Out); }

  std::uint64_t output_checksum(Contract contract) override {
    if (contract == Contract::host_result) return checksum_on_host(host_output(), output_bytes());
    std::uint64_t whole = 0;
    for (const auto& part : parts_)
      whole = std::rotl(whole, 1) + backend::checksum(part->output.array());
    return whole;
  }

  std::uint64_t bytes_read() const override {
    return parts_.front()->inputs.size() * spec_.n * sizeof(In);
  }
  std::uint64_t bytes_written() const override {
    return output_bytes() * (is_in_parts_ || !team_ ? 1 : team_->size());
  }

 private:
  using Sums = std::vector<std::uint64_t>;

  // What one device has.
  struct Part {
    Part(const ProblemSpec& spec, const std::vector<Generator<In>>& generators,
         std::uint64_t its_first, std::uint64_t its_n, std::uint64_t outputs)
        : first(its_first),
          n(its_n),
          output(outputs * sizeof(Out), displacement(spec, generators.size()) * sizeof(Out)) {
      for (const Generator<In>& generate : generators)
        inputs.push_back(std::make_unique<WatchedInput<In>>(
            generate, first, n, displacement(spec, inputs.size()) * sizeof(In)));
    }

    // Of the answer, its two guards and the inputs, in this order.
    Sums checksums() const {
      const auto [before, after] = output.guards();
      std::vector watched{output.array(), before, after};
      for (const auto& input : inputs) watched.push_back(input->whole());
      return backend::checksums(watched);
    }

    // found: checksums() after a run. Says what the run changed beside the answer, and mends it.
    std::vector<std::string> damage(const Sums& found) {
      std::vector<std::string> all;
      constexpr std::size_t guards = 2;
      const auto holds = [](std::uint64_t sum) { return sum == GuardedArray::checksum_of_guard(); };
      if (!std::ranges::all_of(std::span(found).subspan(1, guards), holds)) {
        const std::string beside = output.damage();
        if (beside.empty())
          throw std::logic_error("a guard of the output has another checksum, and no other byte");
        all.push_back("wrote outside its output, " + beside);
      }
      for (std::size_t k = 0; k < inputs.size(); ++k)
        if (std::string damage = inputs[k]->damage(found[1 + guards + k]); !damage.empty())
          all.push_back(std::move(damage));
      return all;
    }

    std::uint64_t first, n;
    std::vector<std::unique_ptr<WatchedInput<In>>> inputs;
    GuardedArray output;
  };

  // From so many outputs on, the exact answer has checksums too. A right answer is never fetched.
  static constexpr std::size_t many = 1 << 16;

  // In elements. With an offset of 1 all arrays lie at the same distance from a boundary, with most
  // others each further than the one before.
  static std::size_t displacement(const ProblemSpec& spec, std::size_t array) {
    return spec.offset == 0 ? 0 : spec.offset + array * (spec.offset - 1);
  }

  std::uint64_t start_of(unsigned device) const {
    return spec_.n / spec_.devices * device +
           std::min<std::uint64_t>(device, spec_.n % spec_.devices);
  }

  static Device arguments_of(const Part& part, const Arguments& arguments) {
    std::vector<const In*> pointers;
    for (const auto& input : part.inputs) pointers.push_back(input->data());
    return arguments(pointers, part.n, reinterpret_cast<Out*>(part.output.data()));
  }

  // The part of the whole answer that this device is to have.
  template <class T>
  std::span<T> of_part(const Part& part, std::span<T> whole) const {
    return is_in_parts_ ? whole.subspan(part.first, part.n) : whole;
  }

  // Of an answer on the host.
  std::vector<std::uint64_t> checksums_of_parts(std::span<const Out> all) const {
    std::vector<std::uint64_t> checksums;
    for (const auto& part : parts_) {
      const std::span<const Out> its = of_part(*part, all);
      checksums.push_back(checksum_on_host(its.data(), its.size_bytes()));
    }
    return checksums;
  }

  // found: checksums() of each part
  Sums checksums_of_answer(Contract contract, const std::vector<Sums>& found) {
    if (contract == Contract::host_result && !backend::is_host_memory())
      return checksums_of_parts({static_cast<const Out*>(host_output()), outputs_});
    Sums checksums;
    for (const Sums& of_part : found) checksums.push_back(of_part.front());
    return checksums;
  }

  Verdict verdict_on_answer(Contract contract, const Summation& summation, const Sums& checksums,
                            RightAnswer* last_right) {
    if (checksums == checksums_) return {.pass = true, .reason = {}};
    if (last_right != nullptr && checksums == last_right->checksums) return last_right->verdict;
    Sums looked_at;
    Verdict verdict = element_by_element(contract, summation, looked_at);
    // they differ if a run writes after its end
    if (last_right != nullptr && verdict.pass && looked_at == checksums)
      *last_right = {checksums, verdict};
    return verdict;
  }

  // The answer; where every device has one, the answer of `device`.
  void copy_output(Contract contract, std::byte* to, std::size_t device = 0) {
    if (contract == Contract::host_result) {
      // memcpy takes no null pointers
      if (outputs_ > 0) std::memcpy(to, host_output(), output_bytes());
      return;
    }
    for (std::size_t p = is_in_parts_ ? 0 : device; p < (is_in_parts_ ? parts_.size() : device + 1);
         ++p) {
      const GuardedArray& output = parts_[p]->output;
      if (output.bytes() > 0)
        backend::download(to + (is_in_parts_ ? parts_[p]->first * sizeof(Out) : 0), output.data(),
                          output.bytes());
    }
  }

  const Key& key() {
    if (key_) return *key_;
    Key made = later_();
    if (checksums_of_parts(exact_bits<Out>(made)) != checksums_)
      throw std::logic_error("the exact answer has another checksum");
    return key_.emplace(std::move(made));
  }

  // The one that is farthest off, where every device has an answer. looked_at: gets the checksums
  // of the answer, if it is right.
  Verdict element_by_element(Contract contract, const Summation& summation, Sums& looked_at) {
    Verdict worst;
    const Key& expected = key();
    const std::size_t answers =
        contract == Contract::host_result || is_in_parts_ ? 1 : parts_.size();
    for (std::size_t device = 0; device < answers; ++device) {
      got_.resize(outputs_);
      if constexpr (requires { got_ = expected.exact; })  // what other processes have, they look at
        if (is_in_parts_ && Team::rank) got_ = expected.exact;
      copy_output(contract, reinterpret_cast<std::byte*>(got_.data()), device);
      const Sums of_all = checksums_of_parts(got_);
      if (answers == 1) looked_at = of_all;
      else looked_at.push_back(of_all.at(device));
      Out untouched;
      std::memset(&untouched, poison_byte, sizeof untouched);
      Verdict verdict = summation.returns_elements
                            ? verdict_on_elements(expected, summation, untouched)
                            : verdict_on<Out>(got_, expected, summation, untouched);
      if (!verdict.pass && remark_) remark_(got_, verdict);
      if (!verdict.pass && answers > 1)
        verdict.reason = "on device " + std::to_string(device) + ": " + verdict.reason;
      if (!verdict.pass) return verdict;
      if (device == 0 || verdict.ulp_max > worst.ulp_max) worst = verdict;
    }
    return worst;
  }

  // Of an answer in the element type, which takes no more than the start of the output. It may be
  // right and infinite, while the output would hold a number: then its error is infinite, and so
  // is what it may be off.
  Verdict verdict_on_elements(const Key& expected, const Summation& summation, Out untouched) {
    if constexpr (!std::is_same_v<In, Out> && std::is_same_v<Key, Expected<Accumulator<In>>>) {
      std::vector<In> elements(got_.size());
      std::memcpy(elements.data(), got_.data(), elements.size() * sizeof(In));
      In untouched_element;
      std::memcpy(&untouched_element, &untouched, sizeof untouched_element);
      Verdict verdict =
          verdict_on<In>(elements, in_elements<In>(expected), summation, untouched_element);
      for (std::size_t i = 0; i < elements.size(); ++i)
        if (std::isfinite(expected.exact[i]) && !std::isfinite(Out(elements[i]))) {
          verdict.ulp_max = verdict.relative = std::numeric_limits<double>::infinity();
          verdict.bounded = false;
        }
      return verdict;
    } else {
      return verdict_on<Out>(got_, expected, summation, untouched);
    }
  }

  // no NaN or infinity of any type, which might be right
  static constexpr unsigned char poison_byte = 0xa5;

  void add_complaint(Verdict& verdict, const std::string& complaint, std::size_t device) const {
    verdict.pass = false;
    verdict.reason += (verdict.reason.empty() ? "" : "; ") +
                      (team_ ? "on device " + std::to_string(team_->first() + device) + ": " : "") +
                      complaint;
  }

  ProblemSpec spec_;
  Leaves leaves_;  // empty: there are none
  Remark remark_;
  bool is_in_parts_;                          // the answer, of data over devices
  std::uint64_t outputs_ = 0;                 // elements of the answer
  std::optional<Team> team_;                  // of such data
  std::vector<std::unique_ptr<Part>> parts_;  // of each device
  std::vector<Out> host_output_;
  LongArray<Out> got_;          // the answer that is looked at
  std::optional<Key> key_;      // null: not yet needed
  std::function<Key()> later_;  // makes it
  // of each part of the exact answer, where it is long and no error is allowed
  std::vector<std::uint64_t> checksums_;
  Device device_{};
  Spread<Device> spread_{};
};

// The arguments of an operation that reads one array.
template <class Device, class T>
Device of_one_array(const std::vector<const T*>& in, std::uint64_t n, ResultOf<Device>* out) {
  return {in[0], n, out};
}

}  // namespace ladder
