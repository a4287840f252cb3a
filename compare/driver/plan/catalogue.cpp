#include "compare/driver/plan/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <new>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/lists.hpp"
#include "compare/driver/terminal/say.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "compare/driver/workers/dialogue.hpp"
#include "reports/model/ladder_order.hpp"

namespace ladder {
namespace {

// a worker's list and its machine; the first use of a GPU takes seconds
constexpr std::chrono::seconds time_to_introduce{60};

constexpr reports::Backend all_backends[] = {reports::Backend::emulated, reports::Backend::host,
                                             reports::Backend::cuda};

// Sorts by operation; in each, rungs on one device come before rungs over devices: the hand-written
// ones first, each after the one it follows, then the libraries by name.
void sort_as_ladder(std::vector<protocol::Listing>& implementations,
                    const std::vector<reports::Operation>& operations) {
  reports::Results as_in_a_report;
  as_in_a_report.operations = operations;
  as_in_a_report.rungs.assign(implementations.begin(), implementations.end());
  reports::sort_as_ladder(as_in_a_report.rungs);
  const reports::Order order(as_in_a_report);
  std::ranges::stable_sort(implementations, {}, [&](const protocol::Listing& one) {
    return std::tuple(order.of_operation(one.operation), one.operation, one.over_devices,
                      order.of(one), one.path);
  });
}

void introduce(Backend& backend, Tells tells) {
  WorkerProcess worker(backend.program);
  const auto list = ask(worker, "list", time_to_introduce);
  backend.implementations = list.at("implementations").get<std::vector<protocol::Listing>>();
  // by what is not here, the files that need it
  std::map<std::string, std::vector<std::string>> wanting;
  for (const auto& one : list.at("left_out")) {
    backend.not_built.push_back(one.at("file"));
    if (!one.at("is_error").get<bool>()) {
      wanting[one.at("reason")].push_back(one.at("file"));
      continue;
    }
    const auto& [file, reason] = backend.left_out.emplace_back(one.at("file"), one.at("reason"));
    say("{} is left out on the {} backend, since it does not compile: {}", file,
        name_of(backend.name), reason);
  }
  for (const auto& [reason, files] : wanting)
    say("left out on the {} backend, since {}: {}", name_of(backend.name), reason,
        fmt::join(files, ", "));
  backend.operations = list.at("operations").get<std::vector<reports::Operation>>();
  backend.kinds = list.at("kinds").get<std::vector<protocol::OperationListing>>();
  for (const auto& kind : backend.kinds) static_cast<void>(backend.operation(kind.operation));
  backend.has_limit = list.at("has_limit").get<bool>();
  backend.devices = list.at("devices").get<unsigned>();
  backend.contracts = list.at("contracts").get<std::vector<reports::Contract>>();
  sort_as_ladder(backend.implementations, backend.operations);
  if (tells == Tells::list) return;
  const auto description = ask(worker, "describe", time_to_introduce);
  backend.machine = description.at("machine");
  backend.software = description.at("software");
  // now, where it is this backend's own failure
  static_cast<void>(backend.machine.get<reports::Machine>());
  static_cast<void>(backend.software.get<reports::Software>());
}

// The note of the build beside worker programs with kernels from elsewhere; null without such.
json origin_in(const fs::path& folder) {
  std::ifstream file(folder / "origin.json");
  return file ? json::parse(file) : json();
}

// A ladder has a first rung. A rung may follow one that is not here: that one may need another
// machine.
void refuse_cycles(const std::vector<protocol::Listing>& implementations) {
  std::map<std::pair<std::string, std::string>, std::string> below;  // by operation and rung
  for (const auto& one : implementations) below[{one.operation, one.rung}] = one.follows;
  for (const auto& one : implementations) {
    std::string rung = one.rung;
    for (std::size_t step = 0; !rung.empty(); ++step) {
      if (step > below.size())
        throw UsageError("{} follows itself through other rungs: correct follows in its Card",
                         one.path);
      const auto found = below.find({one.operation, rung});
      rung = found == below.end() ? "" : found->second;
    }
  }
}

}  // namespace

const reports::Operation& Backend::operation(std::string_view wanted) const {
  const auto found = std::ranges::find(operations, wanted, &reports::Operation::name);
  if (found == operations.end())
    throw std::invalid_argument(fmt::format("it does not declare the operation {}", wanted));
  return *found;
}

const Backend& Catalogue::backend(reports::Backend name) const {
  return *std::ranges::find(backends, name, &Backend::name);
}

std::vector<protocol::Listing> Catalogue::implementations() const {
  std::map<std::pair<std::string, std::string>, protocol::Listing> merged;  // by path and operation
  for (const Backend& backend : backends) {
    for (const protocol::Listing& one : backend.implementations) {
      auto& entry = merged.try_emplace({one.path, one.operation}, one).first->second;
      if (&entry != &one) {
        unite(entry.operators, one.operators);
        unite(entry.dtypes, one.dtypes);
      }
      if (!backend.runs()) std::erase(entry.backends, backend.name);
      else unite(entry.backends, {backend.name});
    }
  }
  auto all = reports::each(merged, [](const auto& one) { return one.second; });
  sort_as_ladder(all, operations());
  return all;
}

std::vector<reports::Operation> Catalogue::operations() const {
  std::vector<reports::Operation> all;
  for (const Backend& backend : backends) unite(all, backend.operations);
  std::ranges::stable_sort(all, {}, &reports::Operation::place);
  return all;
}

fs::path workers_folder(const fs::path& kernels) {
  fs::path folder = environment_variable("LADDER_WORKERS");
  if (folder.empty()) folder = this_program().parent_path();
  if (kernels.empty()) return folder;
  folder /= "kernels";
  std::error_code unknown;
  const json origin = origin_in(folder);
  if (origin.is_null() || origin.value("folder", "") != fs::canonical(kernels, unknown))
    throw UsageError(
        "the programs in {} were not built with the kernels of {}; the script ./ladder builds them",
        folder.string(), kernels.string());
  return folder;
}

Catalogue read_catalogue(const fs::path& folder, Tells tells) {
  Catalogue catalogue{.backends = {}, .sources = project_sources()};
  std::vector<std::string> from_elsewhere;
  if (const json origin = origin_in(folder); !origin.is_null()) {
    catalogue.kernels = origin.get<reports::Kernels>();
    origin.at("paths").get_to(from_elsewhere);
  }
  bool any = false;
  for (const reports::Backend name : all_backends) {
    Backend backend;
    backend.name = name;
    backend.program = folder / fmt::format("worker_{}", name_of(name));
    if (!fs::exists(backend.program)) {
      backend.unavailable = "its worker program was not built";
      if (name == reports::Backend::cuda)
        backend.unavailable += "; that takes nvcc, and a GPU or LADDER_CUDA=on";
    } else {
      any = true;
      try {
        introduce(backend, tells);
      } catch (const WorkerRefused& refusal) {
        backend.unavailable = refusal.what();  // a machine without a GPU, say
      } catch (const std::bad_alloc&) {        // the driver's own
        throw;
      } catch (const std::exception&
                   problem) {  // a backend is never left out because its worker is broken
        throw UsageError("{} does not work: {}", backend.program.string(), problem.what());
      }
    }
    for (protocol::Listing& one : backend.implementations)
      if (has(from_elsewhere, one.path)) one.from = catalogue.kernels->from;
    catalogue.backends.push_back(std::move(backend));
  }
  refuse_cycles(catalogue.implementations());
  if (!any)
    throw UsageError("there is no worker program in {}; ./ladder builds them", folder.string());
  return catalogue;
}

void require_gpu(const Catalogue& catalogue, const std::string& device) {
  const Backend& cuda = catalogue.backend(reports::Backend::cuda);
  if (cuda.runs()) return;
  std::size_t count = 0;
  std::istringstream lines(captured("timeout -k 1 20 nvidia-smi -L").text);
  for (std::string line; std::getline(lines, line);) count += line.starts_with("GPU ") ? 1 : 0;
  const std::string there =
      count == 0 ? "no GPU" : reports::counted(count, "GPU, numbered 0", "GPUs, numbered from 0");
  throw UsageError("{}: {}; this machine has {}",
                   device.empty()
                       ? "cuda does not run here"
                       : fmt::format("--device: cuda does not run with GPU \"{}\"", device),
                   cuda.unavailable, there);
}

}  // namespace ladder
