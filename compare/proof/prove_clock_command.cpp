#include "compare/proof/prove_clock_command.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <ctime>

#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/interrupt.hpp"
#include "compare/driver/terminal/version.hpp"
#include "compare/proof/clock_proof.hpp"
#include "reports/text/escape.hpp"

namespace ladder {
namespace {

json document(const ClockProof& proof, const Backend& cuda, const std::string& date,
              const std::string& command, double seconds) {
  return {{"schema", "kernel-ladder clock proof 1.0.0"},
          {"run",
           {{"date", date},
            {"command", command},
            {"commit", source_commit},
            {"dirty", source_dirty},
            {"seconds", seconds}}},
          {"gpu", cuda.machine.value("gpu", json())},
          {"software", cuda.software},
          {"all_hold", proof::all_hold(proof.checks)},
          {"checks", proof.checks},
          {"evidence", proof.evidence}};
}

std::string markdown(const json& document, const ClockProof& proof) {
  using reports::escaped;
  const json& gpu = document["gpu"];
  const json& run = document["run"];
  return fmt::format("# Is the clock right?\n\n{}.\n\n{}\n", proof::summary(proof.checks),
                     proof::table(proof.checks)) +
         fmt::format(
             "On {} ({}), driver {}; {}, commit {}{}, in {:.0f} s, by {}. Each number follows from "
             "the evidence in `clock.json` beside this file.\n",
             escaped(gpu.value("name", "")), escaped(gpu.value("uuid", "")),
             escaped(gpu.value("driver", "")), escaped(run.value("date", "")),
             escaped(run.value("commit", "").substr(0, 12)),
             run.value("dirty", false) ? " with changes" : "", run.value("seconds", 0.0),
             reports::code(run.value("command", ""))) +
         "What each check shows, and where its limit comes from: `docs/clock.md` of the sources.\n";
}

}  // namespace

int prove_clock_command(const std::string& device, const fs::path& out,
                        const std::string& command) {
  interrupt::watch();
  // before any worker starts
  if (!device.empty()) setenv("CUDA_VISIBLE_DEVICES", device.c_str(), 1);
  const Catalogue catalogue = read_catalogue(workers_folder());
  const Backend& cuda = catalogue.backend(reports::Backend::cuda);
  require_gpu(catalogue, device);

  const std::string date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  const auto start = std::chrono::steady_clock::now();
  const ClockProof proof = prove_clock(workers_folder());
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

  const json all = document(proof, cuda, date, command, taken.count());
  make_folder(out);
  write_file(out / "clock.json", all.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
  write_file(out / "clock.md", markdown(all, proof));
  fmt::print("{}\n{}\nclock: {}\n", proof::table(proof.checks), proof::summary(proof.checks),
             (out / "clock.md").string());
  return proof::all_hold(proof.checks) ? 0 : 1;
}

}  // namespace ladder
