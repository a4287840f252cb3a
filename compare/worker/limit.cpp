#include "compare/worker/limit.hpp"

#include <fmt/format.h>

#include "compare/worker/backend.hpp"

namespace ladder {
namespace {

// runs between a poisoned output and its check: 20, twice, where they follow each other
constexpr std::uint32_t most_runs = 64;

bool copies(const Problem& posed) {
  const ProblemSpec& spec = posed.spec();
  const Kind* const kind = find_kind(spec.operation, spec.op, spec.dtype);
  return kind != nullptr && kind->operation->output == reports::Output::one_per_element;
}

}  // namespace

LimitProblem::LimitProblem(Problem& posed, reports::Cache cache) : posed_(posed) {
  for (const auto& input : posed.inputs()) movement_.inputs.emplace_back(input);
  movement_.output = posed.answer();
  movement_.copies = copies(posed);
  movement_.cache = cache;
  if (movement_.copies) {
    expected_ = backend::checksum(movement_.inputs.at(0));
  } else {
    for (const auto& input : movement_.inputs) expected_ += probe::mover()->byte_sum(input);
    expected_ &= 0xffffffff;
  }
}

std::uint32_t LimitProblem::first_word() const {
  std::uint32_t word = 0;
  if (movement_.output.size() >= sizeof word)
    backend::download(&word, movement_.output.data(), sizeof word);
  return word;
}

void LimitProblem::poison() {
  posed_.poison();
  if (!movement_.copies) before_ = first_word();
}

Verdict LimitProblem::check(Contract contract, const Summation&, RightAnswer*) {
  Verdict verdict;
  if (movement_.copies) {
    verdict.pass = output_checksum(contract) == expected_;
    if (!verdict.pass) verdict.reason = "the copy differs from the input";
    return verdict;
  }
  const std::uint32_t added = first_word() - before_,
                      of_a_run = static_cast<std::uint32_t>(expected_);
  std::uint32_t sum = 0;
  for (std::uint32_t runs = 1; runs <= most_runs && !verdict.pass; ++runs)
    verdict.pass = added == (sum += of_a_run);
  if (!verdict.pass)
    verdict.reason =
        fmt::format("the bytes that were read add up to {}, not to {}", added, of_a_run);
  return verdict;
}

Limit::Limit(const Kind& kind) : path_(limit_path(*kind.operation)) {
  rung_.path = path_;
  rung_.operation = kind.operation->name, rung_.op = kind.op, rung_.dtype = kind.dtype;
  rung_.prepare = [](const void* device) {
    return probe::mover()->shortest(*static_cast<const Movement*>(device));
  };
}

}  // namespace ladder
