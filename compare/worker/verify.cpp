#include "compare/worker/verify.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "compare/backend.hpp"
#include "compare/worker/judge.hpp"
#include "compare/worker/probe.hpp"

namespace ladder {

namespace {

std::string hexadecimal(const std::vector<std::byte>& bytes) {
  std::string text;
  for (const std::byte b : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(b));
  return text;
}

void run_all(const protocol::VerifyRequest& request, Problem& problem, const Implementation& rung, protocol::Answer& answer) {
  const Stream stream;
  for (const std::uint64_t schedule : request.schedules) {
    probe::set_schedule(schedule);
    const std::unique_ptr<Prepared> prepared = rung.prepare(problem.device());
    for (unsigned k = 0; k < request.repeats; ++k) {
      problem.poison();
      prepared->restore(stream);
      prepared->run(stream);
      backend::synchronize(stream);

      const Verdict verdict = problem.check();
      answer.pass = verdict.pass;
      answer.reason = verdict.reason;
      answer.ulp_max = std::max(answer.ulp_max, verdict.ulp_max);
      answer.relative = std::max(answer.relative, verdict.relative);
      answer.bound = verdict.bound;
      answer.bounded = verdict.bounded;
      const std::string output = hexadecimal(problem.output());
      if (!answer.output.empty() && answer.output != output) answer.same_bits = false;
      answer.output = output;
      if (!verdict.pass) return;
    }
  }
}

}  // namespace

void verify(const protocol::VerifyRequest& request, Problem& problem, const std::vector<const Implementation*>& rungs,
            const std::function<void(std::string_view path)>& begin, const std::function<void(const protocol::Answer&)>& report) {
  for (const Implementation* rung : rungs) {
    begin(rung->path);
    protocol::Answer answer;
    answer.path = rung->path;
    if (const auto reason = reason_to_skip(*rung, problem.spec().n)) {
      answer.skipped = true;
      answer.reason = *reason;
    } else {
      try {
        run_all(request, problem, *rung, answer);
      } catch (const backend::OutOfMemory& full) {
        answer.skipped = true;
        answer.reason = full.what();
      } catch (const std::exception& thrown) {
        answer.pass = false;
        answer.reason = thrown.what();
      }
    }
    report(answer);
  }
  probe::set_schedule(0);
}

}  // namespace ladder
