#include "compare/tests/verification/checks.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compare/driver/workers/worker_process.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/gpu.hpp"
#include "compare/tests/verification/agreement.hpp"
#include "compare/tests/verification/plan.hpp"
#include "compare/tests/verification/questions.hpp"
#include "compare/tests/whole.hpp"
#include "reports/model/element_types.hpp"

namespace ladder::tests {
namespace {

// A worker program that the tests of this process hand on to each other, since to start one takes
// longer than most tests. One that a test left by an exception may be in the middle of something:
// it is not handed on.
class LentWorker {
 public:
  explicit LentWorker(const Backend& backend)
      : home_(homes()[backend.program]), worker_(std::move(home_)) {
    if (!worker_) worker_ = std::make_unique<WorkerProcess>(backend.program);
  }
  LentWorker(const LentWorker&) = delete;
  ~LentWorker() {
    if (std::uncaught_exceptions() == exceptions_) home_ = std::move(worker_);
  }

  WorkerProcess& operator*() const { return *worker_; }

 private:
  static std::map<std::filesystem::path, std::unique_ptr<WorkerProcess>>& homes() {
    static std::map<std::filesystem::path, std::unique_ptr<WorkerProcess>> all;
    return all;
  }

  std::unique_ptr<WorkerProcess>& home_;
  std::unique_ptr<WorkerProcess> worker_;
  int exceptions_ = std::uncaught_exceptions();
};

constexpr unsigned enough_wrong = 5;  // answers; a test that shows thousands of them shows nothing

bool offers(const protocol::Listing& rung, const protocol::OperationListing& operation) {
  const bool has_type = std::ranges::count(rung.dtypes, operation.dtype) != 0;
  const bool has_operator =
      operation.op.empty() || std::ranges::count(rung.operators, operation.op) != 0;
  return operation.operation == rung.operation && has_type && has_operator;
}

// Every operator and type of the rung that its backend poses problems for.
std::vector<protocol::OperationListing> operations_of(const Backend& backend,
                                                      const protocol::Listing& rung) {
  std::vector<protocol::OperationListing> all;
  std::ranges::copy_if(backend.kinds, std::back_inserter(all),
                       [&](const auto& operation) { return offers(rung, operation); });
  for (const auto& op : rung.operators)
    REQUIRE(std::ranges::count(all, op, &protocol::OperationListing::op) > 0);
  for (const auto& dtype : rung.dtypes)
    REQUIRE(std::ranges::count(all, dtype, &protocol::OperationListing::dtype) > 0);
  return all;
}

// 0: it takes data on one device, and knows of no other. No usual size has three equal parts.
std::vector<unsigned> numbers_of_devices(const Backend& backend, const protocol::Listing& rung) {
  if (!rung.over_devices) return {0};
  std::vector<unsigned> numbers{1, 3};
  if (run_whole() || backend.name != reports::Backend::emulated) numbers = {1, 2, 3, 5};
  std::erase_if(numbers, [&](unsigned devices) { return devices > backend.devices; });
  return numbers;
}

Depth depth_of(const Backend& backend, const protocol::Listing& rung, bool is_first_operator) {
  if (backend.name != reports::Backend::emulated) return Depth::whole;
  if (!is_first_operator) return Depth::values;
  const bool scans_inclusively =
      std::ranges::any_of(backend.implementations, [&](const protocol::Listing& other) {
        return other.path == rung.path && other.operation == "inclusive_scan";
      });
  return rung.operation == "exclusive_scan" && scans_inclusively ? Depth::edges : Depth::whole;
}

std::vector<protocol::VerifyRequest> everything(const Backend& backend,
                                                const protocol::Listing& rung) {
  std::vector<protocol::VerifyRequest> all;
  const auto add = [&](const std::vector<protocol::VerifyRequest>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  const auto operations = operations_of(backend, rung);
  for (const auto& operation : operations) {
    const bool is_first = operation.op == operations.front().op;
    const Depth depth = depth_of(backend, rung, is_first);
    const bool is_converted = !reports::is_accumulated_as_it_is(operation.dtype);
    if (is_converted && backend.name == reports::Backend::emulated) {
      const bool is_first_type = std::ranges::none_of(operations, [&](const auto& other) {
        return &other < &operation && !reports::is_accumulated_as_it_is(other.dtype);
      });
      add(depth == Depth::whole && is_first_type ? vectors_plan(operation)
                                                 : conversions_plan(operation));
      continue;
    }
    if (rung.over_devices) {
      auto numbers = numbers_of_devices(backend, rung);
      if (depth != Depth::whole) numbers = {numbers.back()};
      for (const unsigned devices : numbers) add(devices_plan(operation, devices));
      continue;
    }
    add(depth == Depth::whole ? whole_plan(operation) : values_plan(operation));
    if (depth == Depth::edges) add(edges_plan(operation));
    if (is_first && depth == Depth::whole) add(placement_plan(operation));
  }
  for (auto& request : all) request.contract = rung.contracts.front();
  for (std::size_t other = 1; other < rung.contracts.size(); ++other) {
    for (const auto& operation : operations) {
      for (auto& request : short_plan(operation)) {
        request.contract = rung.contracts[other];
        request.problem.devices = numbers_of_devices(backend, rung).back();
        all.push_back(request);
      }
    }
  }
  return all;
}

// What is wrong with an answer; empty where nothing is.
std::string complaint(const protocol::Listing& rung, const protocol::VerifyRequest& request,
                      const protocol::Answer& answer) {
  if (answer.skipped)
    return request.problem.n > rung.max_elements ? "" : "skipped: " + answer.reason;
  if (!answer.pass) return answer.reason;
  if (!answer.same_bits && rung.same_bits_every_run)
    return "not the same bits in every run, as its card says";
  return {};
}

// No GPU is missing for it.
void skip_unsupported(const protocol::Answer& answer) {
  std::printf("SKIPPED: it %s\n", answer.reason.c_str());  // what ctest knows a skipped test by
}

void check_is_caught(const Backend& backend, const protocol::Listing& rung) {
  const LentWorker lent(backend);
  WorkerProcess& worker = *lent;
  const auto requests = everything(backend, rung);
  CHECK(std::ranges::any_of(requests, [&](const auto& request) {
    const auto answer = answer_of(worker, request, rung.path);
    return !answer.skipped && !answer.pass;
  }));
}

// Of the usual operator and type, and on a GPU, where it takes no time, of every type.
void check_shapes(const Backend& backend, const protocol::Listing& rung, const char* how,
                  const std::function<void(const protocol::Answer&)>& judge) {
  const LentWorker lent(backend);
  const bool on_a_gpu = backend.name == reports::Backend::cuda;
  const auto operations = operations_of(backend, rung);
  for (const auto& operation : operations) {
    if (operation.op != operations.front().op ||
        (!on_a_gpu && operation.dtype != operations.front().dtype))
      continue;
    for (auto& request : shapes_plan(operation, on_a_gpu)) {
      if (request.problem.n > rung.max_elements) continue;
      request.problem.devices = numbers_of_devices(backend, rung).back();
      INFO(in_words(request.problem));
      const auto answer = answer_of(*lent, request, rung.path, how);
      if (answer.unsupported) return skip_unsupported(answer);
      judge(answer);
    }
  }
}

// One after another on the same input.
void check_every_implementation(const Backend& backend, const protocol::OperationListing& operation,
                                const std::vector<protocol::VerifyRequest>& plan,
                                const std::function<bool(const protocol::Listing&)>& is_meant) {
  const LentWorker lent(backend);
  unsigned answered = 0, skipped = 0;
  for (auto request : plan) {
    for (const auto& rung : backend.implementations) {
      if (!offers(rung, operation) || !is_meant(rung) || request.problem.n > rung.max_elements)
        continue;
      request.contract = rung.contracts.front();
      request.problem.devices = numbers_of_devices(backend, rung).back();
      INFO(rung.path + ": " + in_words(request.problem));
      const auto answer = answer_of(*lent, request, rung.path);
      INFO(answer.reason);
      CHECK((answer.pass || answer.skipped));  // skipped: it does not fit into this GPU
      if (answer.pass) ++answered;
      if (answer.skipped) ++skipped;
    }
  }
  if (answered == 0 && skipped > 0) return skip("this GPU has no room for as many elements");
  CHECK(answered > 0);
}

}  // namespace

void check_is_right_when_replayed(const Backend& backend, const protocol::Listing& rung) {
  bool is_captured = false;
  std::string why_not;
  check_shapes(backend, rung, "verify replayed", [&](const protocol::Answer& answer) {
    if (answer.skipped) why_not = answer.reason;
    else is_captured = true;
    CHECK((answer.skipped ? "" : answer.reason) == "");
  });
  INFO(why_not);
  // a library may wait for its stream, or allocate
  CHECK((is_captured || rung.provider != "handwritten"));
  CHECK((why_not.empty() || !is_captured));
}

void check_is_right_beside_another(const Backend& backend, const protocol::Listing& rung) {
  check_shapes(backend, rung, "verify together",
               [](const protocol::Answer& answer) { CHECK(answer.reason == ""); });
}

void check_gives_the_exact_answer(const Backend& backend, const protocol::Listing& rung) {
  if (rung.expected_wrong) return check_is_caught(backend, rung);

  const LentWorker lent(backend);
  WorkerProcess& worker = *lent;
  unsigned wrong = 0, answered = 0;
  for (const auto& request : everything(backend, rung)) {
    INFO(in_words(request.problem) << ", " << name_of(request.contract));
    const auto answer = answer_of(worker, request, rung.path);
    if (answer.unsupported) return skip_unsupported(answer);
    const std::string found = complaint(rung, request, answer);
    if (!answer.skipped) ++answered;
    CHECK(found == "");
    if (!found.empty() && ++wrong == enough_wrong) FAIL("further answers are not asked for");
  }
  CHECK(answered > 0);
}

void check_plans_are_short(const Backend& backend) {
  // 355 million take two cores about two minutes; a rung asks for three million.
  constexpr std::uint64_t most_elements = 400'000'000;
  std::uint64_t elements = 0;
  for (const auto& rung : backend.implementations) {
    auto requests = everything(backend, rung);
    std::erase_if(requests, [&](const auto& one) { return one.problem.n > rung.max_elements; });
    elements += elements_of(requests);
  }
  INFO(backend.implementations.size() << " rungs are asked for " << elements << " elements");
  CHECK(elements > 0);
  CHECK(elements <= most_elements);
}

void check_takes_more_than_31_bits_count(const Backend& backend, const std::string& operation) {
  const auto listing =
      std::ranges::find(backend.kinds, operation, &protocol::OperationListing::operation);
  REQUIRE(listing != backend.kinds.end());
  check_every_implementation(backend, *listing, huge_plan(*listing),
                             [](const auto& rung) { return !rung.expected_wrong; });
}

void check_changes_of_shape(const Backend& backend, const std::string& operation) {
  // the first is enough: which shape it is does not go by the operator
  std::optional<std::string> op;
  for (const auto& listing : backend.kinds) {
    if (listing.operation != operation || listing.op != op.value_or(listing.op)) continue;
    op = listing.op;
    check_every_implementation(backend, listing, changes_plan(listing), [](const auto& rung) {
      // the notes' rungs keep their shape
      return rung.provider == "handwritten" && rung.notes.empty();
    });
  }
  CHECK(op.has_value());
}

void check_agrees(const Backend& backend, const protocol::Listing& rung,
                  const Backend& other_backend,
                  const std::vector<const protocol::Listing*>& libraries) {
  REQUIRE_FALSE(libraries.empty());
  const LentWorker lent(backend);
  // of one worker, the library meets the input that the rung has just had
  std::optional<LentWorker> lent_by_other;
  if (other_backend.name != backend.name) lent_by_other.emplace(other_backend);
  WorkerProcess& worker = *lent;
  WorkerProcess& other = lent_by_other ? **lent_by_other : worker;
  unsigned wrong = 0;
  std::map<std::string, unsigned> compared;  // answers, by library
  for (const auto& operation : operations_of(backend, rung)) {
    for (auto& request : short_plan(operation)) {
      request.contract = rung.contracts.front();
      request.problem.devices = numbers_of_devices(backend, rung).back();
      INFO(in_words(request.problem));
      const auto answer = answer_of(worker, request, rung.path);
      if (answer.unsupported) return skip_unsupported(answer);
      if (answer.skipped) continue;
      for (const protocol::Listing* library : libraries) {
        if (!offers(*library, operation)) continue;
        request.contract = library->contracts.front();
        request.problem.devices = numbers_of_devices(other_backend, *library).back();
        const auto reference = answer_of(other, request, library->path);
        if (reference.skipped) continue;
        INFO(library->path);
        const std::string difference = disagreement(answer, reference);
        CHECK(difference == "");
        ++compared[library->path];
        if (!difference.empty() && ++wrong == enough_wrong)
          FAIL("further answers are not asked for");
      }
    }
  }
  for (const protocol::Listing* library : libraries) {
    INFO(library->path);
    CHECK(compared[library->path] > 0);
  }
}

}  // namespace ladder::tests
