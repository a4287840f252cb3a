#include "compare/worker/run_each_rung.hpp"

#include "compare/worker/judge.hpp"
#include "compare/worker/run.hpp"

namespace ladder {

void run_each_rung(const std::vector<probe::Entry>& entries, const probe::Reporter& report,
                   const std::function<void(const Implementation& rung, Problem& problem,
                                            protocol::MeasuredCell& cell)>& observe) {
  for (const auto& [rung, problem] : entries) {
    report.begin(rung->path);
    protocol::MeasuredCell cell;
    cell.path = rung->path;
    cell.minimum_bytes = {problem->bytes_read(), problem->bytes_written()};
    const auto give_up = [&](reports::Verdict verdict, std::string_view reason) {
      cell.verdict = verdict;
      cell.reason = reason;
    };
    guarded(
        [&, &rung = rung, &problem = problem] {
          if (const auto reason = reason_to_skip(*rung, problem->spec().n))
            give_up(reports::Verdict::skipped, *reason);
          else observe(*rung, *problem, cell);
        },
        give_up);
    report.cell(cell);
  }
}

}  // namespace ladder
