#include "compare/driver/results/machine.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <vector>

#include "compare/driver/terminal/lists.hpp"
#include "compare/driver/workers/dialogue.hpp"
#include "compare/driver/workers/worker_process.hpp"
#include "compare/system.hpp"
#include "reports/model/json.hpp"

namespace ladder {
namespace {

bool says_something(const json& value) {
  static const std::vector<json> nothing{nullptr, "", 0};
  return !has(nothing, value);
}

// A backend leaves empty what it does not know.
void merge(json& into, const json& from) {
  for (const auto& [field, value] : from.items())
    if (says_something(value) && !says_something(into[field])) into[field] = value;
}

// A worker describes all GPUs that it sees. With a process for each device, the other devices may
// be on other hosts.
void leave_out_unused(const Plan& plan, reports::Machine& machine) {
  const std::size_t devices = std::max(plan.devices_of_a_process(), 1U);
  machine.further_gpus.resize(std::min(machine.further_gpus.size(), devices - 1));
  std::erase_if(machine.links,
                [&](const reports::Link& one) { return std::max(one.from, one.to) >= devices; });
}

}  // namespace

void describe_machine(const Catalogue& catalogue, const Plan& plan, reports::Results& results) {
  results.machine.cpu = host::cpu_model();
  results.machine.cores = host::cores();
  results.machine.memory_bytes = host::total_memory();
  results.software.os = host::os_name();
  results.software.kernel = host::kernel_name();

  json machine = results.machine, software = results.software;
  for (const Backend& backend : catalogue.backends) {
    const bool used =
        plan.share ? has(plan.share->backends, backend.name) : plan.uses(backend.name);
    if (!backend.runs() || (!used && backend.name != reports::Backend::host)) continue;
    merge(machine, backend.machine);
    merge(software, backend.software);
  }
  machine.get_to(results.machine);
  leave_out_unused(plan, results.machine);
  software.get_to(results.software);
}

void describe_gpu_afterwards(const Catalogue& catalogue, reports::Results& results) {
  constexpr std::chrono::seconds time_to_answer{60};
  if (!results.machine.gpu) return;
  try {
    WorkerProcess worker(catalogue.backend(reports::Backend::cuda).program);
    const auto machine =
        ask(worker, "describe", time_to_answer).at("machine").get<reports::Machine>();
    if (machine.gpu) results.machine.gpu->after = machine.gpu->before;
  } catch (const std::exception&) {  // the numbers are worth as much without it; it stays empty
  }
}

}  // namespace ladder
