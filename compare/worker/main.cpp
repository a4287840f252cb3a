// A worker program: serves the requests of compare/protocol.hpp, one JSON object a line, for the
// backend it is linked with.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "compare/operation.hpp"
#include "compare/protocol.hpp"
#include "compare/registry.hpp"
#include "compare/team.hpp"
#include "compare/worker/backend.hpp"
#include "compare/worker/changed_input.hpp"
#include "compare/worker/limit.hpp"
#include "compare/worker/run.hpp"
#include "compare/worker/trees.hpp"
#include "compare/worker/verify.hpp"
#include "reports/text/lists.hpp"

namespace {

using namespace ladder;
// Takes standard output away from everyone else: what a kernel or a library prints goes to standard
// error.
std::FILE* take_standard_output() {
  const int descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  std::FILE* const replies = descriptor < 0 ? nullptr : fdopen(descriptor, "w");
  if (replies == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw std::system_error(errno, std::generic_category(), "standard output");
  return replies;
}

// Ends this process when its standard output has no reader any more: the driver was killed. The end
// of standard input does not tell, because a launcher can keep it open, and because a process can
// wait without end for the others of its team.
void end_with_listener(std::FILE* replies) {
  std::thread([listener = pollfd{fileno(replies), 0, 0}]() mutable {  // no events: its end alone
    while (poll(&listener, 1, -1) < 0) {
    }
    _exit(2);
  })
      .detach();
}

// A verdict's reason is what an exception says, and people read it.
struct NoMemory : std::bad_alloc {
  const char* what() const noexcept override { return "there is not enough memory"; }
};

class Worker {
 public:
  explicit Worker(std::FILE* replies) : replies_(replies) {}

  void serve(const json& request) {
    if (!request.is_object() || !request.contains("do"))
      throw std::invalid_argument("a request is a JSON object with a field \"do\"");
    const json& what = request["do"];
    if (what == "list") list();
    else if (what == "describe") describe();
    else if (what == "limits") limits(request.value("devices", 0U));
    else if (what == "new group") reply({{"group", backend::new_group()}});
    else if (what == "join") join(request);
    else if (what == "counters") reply({{"unavailable", counters::unavailable()}});
    else if (what == "verify" || what == "verify replayed" || what == "verify together")
      verify(what, request.get<protocol::VerifyRequest>());
    else if (what == "check") check(request.get<protocol::CheckRequest>());
    else if (what == "measure") measure(request.get<protocol::MeasureRequest>());
    else
      throw std::invalid_argument(
          fmt::format("there is no request {}: list, describe, limits, new group, join, counters, "
                      "verify, verify replayed, verify together, check or measure",
                      what.dump()));
  }

  void reply(const json& line) {
    // A message may hold bytes that are no UTF-8, such as a path of another locale.
    fmt::print(replies_, "{}\n", line.dump(-1, ' ', false, json::error_handler_t::replace));
    if (std::fflush(replies_) != 0)
      throw std::system_error(errno, std::generic_category(), "the driver no longer listens");
  }

 private:
  void list() {
    std::vector<protocol::OperationListing> all_kinds;
    for (const Kind& kind : kinds())
      all_kinds.push_back({kind.operation->name,
                           std::string(kind.op),
                           std::string(kind.dtype),
                           {kind.distributions.begin(), kind.distributions.end()},
                           kind.operation->usual_bins,
                           reports::most_bins(*kind.operation, std::string(kind.dtype))});
    json refused = json::array();
    for (const LeftOut& one : left_out())
      refused.push_back({{"file", one.file}, {"reason", one.reason}, {"is_error", one.is_error}});
    reply({{"implementations", listings()},
           {"left_out", refused},
           {"operations", operations()},
           {"kinds", all_kinds},
           {"contracts", probe::contracts()},
           {"has_limit", probe::mover() != nullptr},
           {"devices", backend::devices()}});
  }

  // Implementations are sorted by path and operation, so those of one listing stand together.
  static std::vector<protocol::Listing> listings() {
    std::vector<protocol::Listing> all;
    for (const Implementation& i : implementations()) {
      if (all.empty() || all.back().path != i.path || all.back().operation != i.operation)
        all.push_back(listing(i));
      if (!i.op.empty()) reports::unite(all.back().operators, {std::string(i.op)});
      reports::unite(all.back().dtypes, {std::string(i.dtype)});
    }
    return all;
  }

  static protocol::Listing listing(const Implementation& i) {
    const Card& card = i.card;
    protocol::Listing one;
    one.operation = i.operation;
    one.provider = provider_of(i.path);
    one.rung = rung_of(i.path);
    one.path = i.path;
    one.backends = {reports::named<reports::Backend>(backend::name())};
    reports::Rung::fields(
        one, [&](std::string_view name, auto& member, const reports::FieldFacts& = {}) {
          if constexpr (std::is_same_v<decltype(member), std::string&>)
            for (const auto& [field, text] : card_texts)
              if (field == name) member = card.*text;
        });
    one.notes = words(card.notes);
    one.library = text_of(card.library);
    if (!card.library.ending.empty() && one.rung.ends_with(card.library.ending)) {
      one.follows = one.rung.substr(0, one.rung.size() - card.library.ending.size());
      one.step = fmt::format("The same call, of {}.", one.library);
    }
    if (one.backends[0] != reports::Backend::host)
      one.promise =
          card.same_bits_every_run ? reports::Promise::same_bits : reports::Promise::any_order;
    for (const Contract contract : {Contract::device_result, Contract::host_result})
      if (i.offers(contract)) one.contracts.push_back(contract);
    one.needs = card.needs;
    one.max_elements = card.max_elements;
    one.max_reason = card.max_reason;
    one.same_bits_every_run = card.same_bits_every_run;
    one.expected_wrong = card.expected_wrong;
    one.over_devices = i.over_devices;
    one.collective = i.over_devices && card.collective;
    return one;
  }

  // "CUB 3.0.1"
  static std::string text_of(const Library& library) {
    std::string text(library.name);
    char before = ' ';
    for (const int part : {library.release, library.update, library.patch})
      if (part >= 0) text += std::exchange(before, '.') + std::to_string(part);
    return text;
  }

  static std::vector<std::string> words(std::string_view text) {
    std::istringstream in{std::string(text)};
    return {std::istream_iterator<std::string>(in), {}};
  }

  void describe() {
    reports::Machine machine;
    reports::Software software;
    probe::describe(machine, software);
    reply({{"machine", machine}, {"software", software}});
  }

  void limits(unsigned devices) {
    const probe::Limits found = probe::limits(devices);
    reply({{"ceilings", found.ceilings}, {"overheads", found.overheads}});
  }

  // From here on this process has one device of a team.
  void join(const json& request) {
    const Rank its{request.at("rank").get<unsigned>(), request.at("ranks").get<unsigned>()};
    if (Team::rank) throw std::logic_error("this process has joined a group already");
    if (its.of == 0 || its.of > most_devices || its.number >= its.of)
      throw std::invalid_argument(
          fmt::format("there is no rank {} of {}: a team has at most {} devices", its.number,
                      its.of, most_devices));
    backend::join_group(request.at("group").get<std::string>(), its.number, its.of);
    Team::rank = its;
    reply({{"joined", true}});
  }

  void verify(const std::string& how, const protocol::VerifyRequest& request) {
    const auto rungs = find_rungs(request.problem, request.rungs);
    refuse_host_result(request.contract);
    const auto answer = [&](const protocol::Answer& a) { reply({{"answer", a}}); };
    try {
      Problem& problem = pose(request.problem);
      const std::unique_ptr<Problem> another =
          how == "verify together" ? kind_of(request.problem).pose(request.problem) : nullptr;
      ladder::verify(how, request, problem, another.get(), rungs, trees_, begin_, answer);
    } catch (const backend::OutOfMemory&
                 full) {  // of the input itself; a rung's own is verify's to report
      for (const Implementation* rung : rungs)
        answer({.path = std::string(rung->path),
                .reason = full.what(),
                .output = {},
                .skipped = true});
    }
    reply({{"done", true}});
  }

  void check(const protocol::CheckRequest& request) {
    const auto rungs = find_rungs(request.problem, request.rungs);
    // the check poses its own, and watches it being posed
    problem_.reset(), problem_over_devices_.reset();
    probe::check(
        request, kind_of(request.problem), rungs, begin_,
        [&](const protocol::Checked& checked) {
          reply({{"checked", checked}});
        },
        [&](const std::string& where) {
          reply({{"where", where}});
        });
    reply({{"done", true}});
  }

  void measure(protocol::MeasureRequest request) {
    const bool with_limit = std::erase_if(request.rungs, is_limit) > 0;
    const Limit limit(kind_of(request.problem));
    auto rungs = with_limit && request.rungs.empty()
                     ? std::vector<const Implementation*>{}
                     : find_rungs(request.problem, request.rungs, References::allowed);
    refuse_host_result(request.contract);
    const probe::Reporter report{.begin = begin_,
                                 .sample =
                                     [&](const protocol::Sample& sample) {
                                       reply({{"sample", sample}});
                                     },
                                 .cell =
                                     [&](const protocol::MeasuredCell& cell) {
                                       reply({{"cell", cell}});
                                     }};
    try {
      if (request.process == 0 && !request.counters)
        std::erase_if(
            rungs, [&](const Implementation* rung) { return is_caught(*rung, request, report); });
      std::vector<probe::Entry> entries;
      entries.reserve(rungs.size());
      for (const Implementation* rung : rungs)
        entries.push_back({rung, &pose(for_rung(*rung, request.problem))});
      std::optional<LimitProblem> of_limit;
      if (with_limit) {
        of_limit.emplace(pose(request.problem), request.cache.value_or(reports::Cache::cold));
        entries.push_back({&limit.rung(), &*of_limit});
      }
      probe::measure(request, entries, trees_, report);
    } catch (const backend::OutOfMemory& full) {
      if (with_limit) rungs.push_back(&limit.rung());
      for (const Implementation* rung : rungs)
        report.cell(cell_of(*rung, reports::Verdict::skipped, full.what()));
    }
    reply({{"done", true}});
  }

  static protocol::MeasuredCell cell_of(const Implementation& rung, reports::Verdict verdict,
                                        const std::string& reason) {
    protocol::MeasuredCell cell;
    cell.path = rung.path;
    cell.verdict = verdict;
    cell.reason = reason;
    return cell;
  }

  static void refuse_host_result(std::optional<Contract> contract) {
    if (Team::rank && contract == Contract::host_result)
      throw std::invalid_argument("of devices in several processes, no host has the whole answer");
  }

  // True, with its cell, where it does not compute what it answers. What it cannot run here,
  // measure() will tell of.
  bool is_caught(const Implementation& rung, const protocol::MeasureRequest& request,
                 const probe::Reporter& report) {
    const Contract contract =
        request.contract.value_or(rung.enqueues ? Contract::device_result : Contract::host_result);
    if (rung.card.expected_wrong || !rung.offers(contract)) return false;
    report.begin(rung.path);
    const std::string& complaint = complaint_of(rung, for_rung(rung, request.problem), contract);
    if (complaint.empty()) return false;
    report.cell(
        cell_of(rung, reports::Verdict::fail,
                "answers for an input that it had before, not for the present one: " + complaint));
    return true;
  }

  // Found out once in this process, and held against it in every group.
  const std::string& complaint_of(const Implementation& rung, const ProblemSpec& spec,
                                  Contract contract) {
    const auto [known, is_new] = complaints_.try_emplace({&rung, contract});
    if (!is_new) return known->second;
    guarded(
        [&, &known = known] {
          known->second = complaint_on_changed_input(rung, kind_of(spec), spec, contract, trees_);
        },
        [](reports::Verdict, const char*) {});  // measure() will meet it too
    return known->second;
  }

  // Data over devices lies on the first alone for a rung that knows of no other.
  static ProblemSpec for_rung(const Implementation& rung, ProblemSpec spec) {
    if (!rung.over_devices) spec.devices = 0;
    return spec;
  }

  // The same problem is often asked for several times in a row, under other contracts; a large one
  // takes seconds to pose.
  Problem& pose(const ProblemSpec& spec) {
    std::unique_ptr<Problem>& last = spec.devices == 0 ? problem_ : problem_over_devices_;
    if (last && last->spec() == spec) return *last;
    last.reset();  // first: both may not fit
    last = kind_of(spec).pose(spec);
    return *last;
  }

  static const Kind& kind_of(const ProblemSpec& spec) {
    const Kind* const kind = find_kind(spec.operation, spec.op, spec.dtype);
    if (kind == nullptr)
      throw std::invalid_argument(
          fmt::format("there is no operation \"{}\" with operator \"{}\" on {}", spec.operation,
                      spec.op, spec.dtype));
    return *kind;
  }

  // The rungs that the request names; where it names none, all that take such data. References have
  // data over devices on the first device.
  enum class References { none, allowed };
  static std::vector<const Implementation*> find_rungs(const ProblemSpec& problem,
                                                       const std::vector<std::string>& paths,
                                                       References references = References::none) {
    std::vector<const Implementation*> candidates;
    for (const Implementation& i : implementations())
      if (i.operation == problem.operation && i.op == problem.op && i.dtype == problem.dtype &&
          (i.over_devices == (problem.devices > 0) ||
           (references == References::allowed && !i.over_devices)) &&
          (!i.over_devices || !Team::rank || i.card.collective))
        candidates.push_back(&i);
    if (paths.empty()) return candidates;

    std::vector<const Implementation*> rungs;
    for (const std::string& path : paths) {
      const auto found = std::ranges::find(candidates, path, &Implementation::path);
      if (found == candidates.end())
        throw std::invalid_argument(fmt::format("the {} backend has no rung {} for {} {} of {}",
                                                backend::name(), path, problem.operation,
                                                problem.op, problem.dtype));
      rungs.push_back(*found);
    }
    return rungs;
  }

  std::FILE* replies_;
  const Begin begin_ = [this](std::string_view path) { reply({{"begin", path}}); };
  std::unique_ptr<Problem> problem_, problem_over_devices_;  // the last ones posed
  Trees trees_;
  // on new input; empty: none
  std::map<std::pair<const Implementation*, Contract>, std::string> complaints_;
};

}  // namespace

int main() try {
  std::set_new_handler([] { throw NoMemory(); });
  std::FILE* const replies = take_standard_output();
  end_with_listener(replies);
  Worker worker(replies);
  implementations(), kinds();  // throw where two registered as one
  for (std::string line; std::getline(std::cin, line);) {
    try {
      worker.serve(json::parse(line));
    } catch (const json::parse_error&) {
      worker.reply({{"error", "a request is one line of JSON, this is not: " + line}});
    } catch (const backend::DeviceLost& loss) {
      worker.reply({{"lost", loss.what()}});
      return 3;
    } catch (const std::bad_alloc&) {  // oneTBB's own does not say it in words
      worker.reply({{"error", NoMemory().what()}});
    } catch (const std::exception& problem) {
      worker.reply({{"error", problem.what()}});
    }
  }
} catch (const std::exception& problem) {
  fmt::print(stderr, "{}\n", problem.what());
  return 2;
}
