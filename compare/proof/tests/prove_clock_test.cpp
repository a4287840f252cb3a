// ladder prove-clock with a GPU of straw: what is asked of it, and what becomes of the answers.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"

using nlohmann::json;

namespace {

namespace fs = std::filesystem;

class ClockWorkshop : public Workshop {
 public:
  ClockWorkshop() {
    fs::create_directories(path("workers/proof"));
    for (const char* program :
         {"workers/worker_cuda", "workers/proof/worker_cuda", "workers/proof/specimens"})
      fs::create_symlink(FAKE_GPU, path(program));
    environment["PATH"] = path("tools").string() + ":" + std::getenv("PATH");
    fs::create_directory(path("tools"));
  }

  // What it does with its arguments and the requests on its standard input.
  void ncu(const std::string& script) {
    { std::ofstream(path("tools/ncu")) << "#!/bin/sh\n" << script; }
    fs::permissions(path("tools/ncu"), fs::perms::owner_all);
  }

  Outcome prove() { return run({"prove-clock", "--out", results()}); }
  json document() const { return json::parse(text_of(results() / "clock.json")); }
};

// Three runs of three kernels, which take and move what the straw says: 1e-6 us and 4 bytes an
// element.
std::string right_ncu(const std::string& us = "1") {
  return R"(while [ "$1" != --log-file ]; do shift; done
row() { printf '"%s","%s","%s","%s","%s"\n' "$@"; }
{ echo '==PROF== Connected'
  row ID 'Kernel Name' 'Metric Name' 'Metric Unit' 'Metric Value'
  id=0
  for run in 1 2 3; do
    for kernel in 'DeviceReduceKernel<int, Sum> 536870.912 2147483648' 'single_pass_kernel 536870.912 2147483648' 'DeviceScanKernel 268435.456 1073741824'; do
      bytes=${kernel##* } rest=${kernel% *}
      row $id "$rest" gpu__time_duration.sum ns )" +
         us + R"(${rest##* }
      row $id "$rest" dram__bytes_read.sum byte $bytes
      row $id "$rest" dram__bytes_write.sum byte 0
      id=$((id + 1))
    done
  done
} >"$2"
)";
}

json check(const json& document, const std::string& what) {
  for (const json& one : document["checks"])
    if (one["check"].get<std::string>().find(what) != std::string::npos) return one;
  FAIL("there is no check of " << what << " in " << document["checks"].dump(1));
  return {};
}

}  // namespace

TEST_CASE("a clock that is right is proved: every check, its evidence and both files", "[many]") {
  ClockWorkshop workshop;
  workshop.ncu(right_ncu(""));
  const auto outcome = workshop.prove();
  INFO(outcome.out + outcome.err);
  CHECK(outcome.exit_code == 0);
  const json proof = workshop.document();
  CHECK(proof["all_hold"] == true);
  CHECK(proof["gpu"]["name"] == "straw");
  CHECK(proof["run"]["command"].get<std::string>().starts_with("./ladder prove-clock --out "));
  CHECK(proof["evidence"]["twins"].size() == 200);
  CHECK(proof["evidence"]["slower"].size() == 100);
  CHECK(proof["evidence"]["twins"][0]["a_us"].size() == 6);
  CHECK(check(proof, "spin kernels by events: slope")["measured"].get<double>() == Approx(1));
  CHECK(check(proof, "two events with nothing between them")["measured"].get<double>() ==
        Approx(1.516));
  CHECK(check(proof, "vendor/scan/cub: DRAM bytes")["measured"].get<double>() == Approx(100));
  CHECK(check(proof, "2 % more work called slower")["measured"] == 100);
  for (const json& one : proof["checks"])
    CHECK((one["verdict"] == "holds" || one["verdict"] == "reported"));
  const auto text = text_of(workshop.results() / "clock.md");
  CHECK(text.find("| spin kernels by events: slope | 5, 10, 20, 50, 100, 200, 500 us | 1 | 0.995 "
                  "to 1.005 | holds |") != std::string::npos);
}

TEST_CASE("a clock that is 1 % off fails, and says by which checks", "[many]") {
  ClockWorkshop workshop;
  workshop.ncu(right_ncu(""));
  workshop.environment["FAKE_SCALE"] = "1.011";
  CHECK(workshop.prove().exit_code == 1);
  const json proof = workshop.document();
  CHECK(proof["all_hold"] == false);
  CHECK(check(proof, "spin kernels by events: slope")["verdict"] == "does not hold");
  CHECK(check(proof, "spin kernels by the host's clock: slope")["verdict"] == "does not hold");
  CHECK(check(proof, "repeated work: slope")["verdict"] == "does not hold");
  CHECK(check(proof, "identical implementations")["verdict"] == "holds");
}

TEST_CASE("ncu that contradicts the clock fails it", "[many]") {
  ClockWorkshop workshop;
  workshop.ncu(right_ncu("1"));  // a digit before each duration
  CHECK(workshop.prove().exit_code == 1);
  CHECK(check(workshop.document(), "vendor/reduce/cub: time")["verdict"] == "does not hold");
}

TEST_CASE("where ncu may not read counters, its rows say so and nothing fails", "[many]") {
  ClockWorkshop workshop;
  workshop.ncu("echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission'; exit 1\n");
  CHECK(workshop.prove().exit_code == 0);
  const json row = check(workshop.document(), "vendor/reduce/cub: time");
  CHECK(row["verdict"] == "not testable here");
  CHECK(row["reason"].get<std::string>().find("ERR_NVGPUCTRPERM") != std::string::npos);
}

TEST_CASE("a part of the proof that crashes does not hold, and the other parts go on") {
  ClockWorkshop workshop;
  workshop.ncu(right_ncu(""));
  workshop.environment["FAKE_DIES"] = "specimens";
  CHECK(workshop.prove().exit_code == 1);
  const json proof = workshop.document();
  CHECK(check(proof, "spin kernels of known duration")["verdict"] == "does not hold");
  CHECK(check(proof, "spin kernels of known duration")["reason"].get<std::string>().find(
            "killed by signal 6") != std::string::npos);
  CHECK(check(proof, "identical implementations")["verdict"] == "holds");
}

TEST_CASE("without a GPU there is one sentence and no proof") {
  Workshop workshop;
  const auto outcome = workshop.run({"prove-clock", "--out", workshop.results()});
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(outcome.err.find("cuda does not run here") != std::string::npos);
  CHECK_FALSE(fs::exists(workshop.results()));
}
