#include "compare/tests/verification/checks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "compare/driver/worker_process.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/verification/agreement.hpp"
#include "compare/tests/verification/plan.hpp"
#include "compare/tests/verification/questions.hpp"

namespace ladder::tests {
namespace {

constexpr unsigned enough_wrong = 5;  // answers; a test that shows thousands of them shows nothing

// Every operator and type of the rung that its backend poses problems for.
std::vector<protocol::OperationListing> operations_of(const Backend& backend, const protocol::Listing& rung) {
  std::vector<protocol::OperationListing> all;
  for (const auto& operation : backend.operations) {
    const bool has_type = std::ranges::count(rung.dtypes, operation.dtype) != 0;
    const bool has_operator = operation.op.empty() || std::ranges::count(rung.operators, operation.op) != 0;
    if (operation.operation == rung.operation && has_type && has_operator) all.push_back(operation);
  }
  for (const auto& op : rung.operators) REQUIRE(std::ranges::count(all, op, &protocol::OperationListing::op) > 0);
  for (const auto& dtype : rung.dtypes) REQUIRE(std::ranges::count(all, dtype, &protocol::OperationListing::dtype) > 0);
  return all;
}

std::vector<protocol::VerifyRequest> everything(const Backend& backend, const protocol::Listing& rung) {
  std::vector<protocol::VerifyRequest> all;
  const auto add = [&](const std::vector<protocol::VerifyRequest>& more) { all.insert(all.end(), more.begin(), more.end()); };
  const auto operations = operations_of(backend, rung);
  for (const auto& operation : operations) {
    add(whole_plan(operation));
    if (operation.op == operations.front().op) add(long_inputs(operation));
  }
  for (auto& request : all) request.contract = rung.contracts.front();
  for (std::size_t other = 1; other < rung.contracts.size(); ++other) {
    for (const auto& operation : operations) {
      for (auto& request : short_plan(operation)) {
        request.contract = rung.contracts[other];
        all.push_back(request);
      }
    }
  }
  return all;
}

// What is wrong with an answer; empty where nothing is.
std::string complaint(const protocol::Listing& rung, const protocol::VerifyRequest& request, const protocol::Answer& answer) {
  if (answer.skipped) return request.problem.n > rung.max_elements ? "" : "skipped: " + answer.reason;
  if (!answer.pass) return answer.reason;
  if (!answer.same_bits && rung.same_bits_every_run) return "not the same bits in every run, as its card says";
  return {};
}

void check_is_caught(const Backend& backend, const protocol::Listing& rung) {
  WorkerProcess worker(backend.program);
  const auto requests = everything(backend, rung);
  CHECK(std::ranges::any_of(requests, [&](const auto& request) {
    const auto answer = answer_of(worker, request, rung.path);
    return !answer.skipped && !answer.pass;
  }));
}

}  // namespace

void check_gives_the_exact_answer(const Backend& backend, const protocol::Listing& rung) {
  if (rung.expected_wrong) return check_is_caught(backend, rung);

  WorkerProcess worker(backend.program);
  unsigned wrong = 0, answered = 0;
  for (const auto& request : everything(backend, rung)) {
    INFO(in_words(request.problem) + ", " + request.contract);
    const auto answer = answer_of(worker, request, rung.path);
    const std::string found = complaint(rung, request, answer);
    if (!answer.skipped) ++answered;
    CHECK(found == "");
    if (!found.empty() && ++wrong == enough_wrong) FAIL("further answers are not asked for");
  }
  CHECK(answered > 0);
}

void check_agree(const Backend& backend, const protocol::Listing& rung, const Backend& other_backend, const protocol::Listing& library) {
  WorkerProcess worker(backend.program), other(other_backend.program);
  unsigned wrong = 0, compared = 0;
  for (const auto& operation : operations_of(backend, rung)) {
    const bool shared = std::ranges::count(library.dtypes, operation.dtype) != 0 &&
                        (operation.op.empty() || std::ranges::count(library.operators, operation.op) != 0);
    if (!shared) continue;
    for (auto& request : short_plan(operation)) {
      INFO(in_words(request.problem));
      request.contract = rung.contracts.front();
      const auto answer = answer_of(worker, request, rung.path);
      request.contract = library.contracts.front();
      const auto reference = answer_of(other, request, library.path);
      if (answer.skipped || reference.skipped) continue;
      const std::string difference = disagreement(operation.dtype, answer, reference);
      CHECK(difference == "");
      ++compared;
      if (!difference.empty() && ++wrong == enough_wrong) FAIL("further answers are not asked for");
    }
  }
  CHECK(compared > 0);
}

}  // namespace ladder::tests
