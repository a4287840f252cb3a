#include "compare/worker/run_each_rung.hpp"

#include "compare/backend.hpp"
#include "compare/worker/judge.hpp"

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
    try {
      if (const auto reason = reason_to_skip(*rung, problem->spec().n))
        give_up(reports::Verdict::skipped, *reason);
      else observe(*rung, *problem, cell);
    } catch (const backend::OutOfMemory& error) {
      give_up(reports::Verdict::skipped, error.what());
    } catch (const backend::DeviceLost&) {
      throw;
    } catch (const std::exception& error) {
      give_up(reports::Verdict::fail, error.what());
    }
    report.cell(cell);
  }
}

}  // namespace ladder
