// `ladder check-kernels` as a user meets it, with a worker of straw.
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"

namespace {

// What this program starts runs on one core.
class OneCore {
 public:
  OneCore() {
    sched_getaffinity(0, sizeof all_, &all_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int core = 0; CPU_COUNT(&one) == 0; ++core)
      if (CPU_ISSET(core, &all_)) CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;
  ~OneCore() { sched_setaffinity(0, sizeof all_, &all_); }

 private:
  cpu_set_t all_;
};

}  // namespace

TEST_CASE("check-kernels passes what is clean, and fails a finding") {
  Workshop workshop;
  const auto clean = workshop.run({"check-kernels", "--rung", "base,small"});
  INFO(clean.out << clean.err);
  CHECK(clean.exit_code == 0);
  CHECK(contains(clean.out, "reduce base"));
  CHECK(contains(clean.out, "not at every size: it takes at most 100 elements"));
  CHECK(contains(clean.out, "2 rungs, no findings; "));

  const auto too_large = workshop.run({"check-kernels", "--rung", "small", "--size", "1000"});
  INFO(too_large.out << too_large.err);
  CHECK(contains(too_large.out, "not checked: it takes at most 100 elements"));
  CHECK(contains(too_large.out, "1 rung, no findings, 1 not checked; "));
  CHECK(too_large.exit_code == 1);

  const auto matched = workshop.run({"check-kernels", "--rung", "reduce/sm*,bas?"});
  INFO(matched.out << matched.err);
  CHECK(contains(matched.out, "reduce base"));
  CHECK(contains(matched.out, "2 rungs, no findings; "));

  const auto wrong = workshop.run({"check-kernels", "--rung", "base,wrong", "--size", "100,2^10"});
  INFO(wrong.out << wrong.err);
  CHECK(wrong.exit_code == 1);
  CHECK(contains(
      wrong.out,
      "race in straw_kernel, seen 1,124 times\n      Two straws meet.\n      Keep them apart.\n"));
  CHECK(contains(wrong.out, "2 rungs, 1 finding; "));
}

TEST_CASE("a race comes before the fault and the wrong answer that it may make") {
  Workshop workshop;
  workshop.environment["FAKE_WRONG_ANSWER"] = "yes";
  const auto outcome = workshop.run({"check-kernels", "--rung", "base,wrong", "--size", "5"});
  INFO(outcome.out << outcome.err);
  CHECK(contains(outcome.out, "    wrong answer\n      is straw\n      Look at it.\n"));
  CHECK(contains(outcome.out,
                 "Keep them apart.\n    fault\n      A straw breaks.\n      Bend it.\n"
                 "    wrong answer\n      is straw\n2 rungs, 4 findings; "));
}

TEST_CASE("a file that does not compile is told, and check-kernels checks the others and fails") {
  Workshop workshop;
  workshop.environment["FAKE_REFUSED"] = "handwritten/reduce/refused.cu";
  const auto checked = workshop.run({"check-kernels", "--rung", "base"});
  INFO(checked.out << checked.err);
  CHECK(checked.exit_code == 1);
  CHECK(contains(checked.err,
                 "handwritten/reduce/refused.cu is left out on the emulated backend, since it does "
                 "not compile: no such name"));
  CHECK(contains(checked.out, "1 rung, no findings, 1 file left out; "));
}

TEST_CASE("a rung whose file was not built is told from one that does not exist") {
  Workshop workshop;
  workshop.environment["FAKE_REFUSED"] = "handwritten/reduce/unbuilt.cu";
  workshop.environment["FAKE_WANTING"] = "handwritten/team/ring.nccl.cu";
  const auto refused = [&](const char* command, const char* word, const std::string& sentence) {
    const auto outcome = workshop.run({command, "--rung", word});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.ends_with("ladder: --rung: " + sentence + '\n'));
  };
  for (const char* command : {"run", "check-kernels"}) {
    for (const std::string word : {"unbuilt", "unb*", "reduce/unbuilt", "*/reduce/unbuilt"})
      refused(command, word.c_str(),
              '"' + word +
                  "\" was not built: handwritten/reduce/unbuilt.cu is left out, as the message "
                  "above says");
    refused(command, "ring",
            "\"ring\" was not built: handwritten/team/ring.nccl.cu is left out, as the message "
            "above says");
    refused(command, "bettr", "there is no rung \"bettr\" here; did you mean better?");
  }
}

TEST_CASE("a file that needs what is not here is told, and check-kernels does not fail for it") {
  Workshop workshop;
  workshop.environment["FAKE_WANTING"] = "handwritten/team/collective.nccl.cu";
  const auto checked = workshop.run({"check-kernels", "--rung", "base"});
  INFO(checked.out << checked.err);
  CHECK(checked.exit_code == 0);
  CHECK(contains(checked.err,
                 "left out on the emulated backend, since it needs NCCL: "
                 "handwritten/team/collective.nccl.cu"));
  CHECK(contains(checked.out, "1 rung, no findings; "));
}

TEST_CASE("what the emulated backend cannot do is told, and check-kernels does not fail for it") {
  Workshop workshop;
  workshop.environment["FAKE_UNSUPPORTED"] = "better";
  const auto checked = workshop.run({"check-kernels", "--rung", "base,better"});
  INFO(checked.out << checked.err);
  CHECK(checked.exit_code == 0);
  CHECK(contains(checked.out, "not checked: it launches a kernel in a kernel\n"));
  CHECK(contains(checked.out, "2 rungs, no findings, 1 not checked; "));
  CHECK(workshop.run({"check-kernels", "--rung", "wrong,better"}).exit_code == 1);
}

TEST_CASE(
    "check-kernels over so many devices checks the rungs over devices, or those that are named") {
  Workshop workshop;
  workshop.environment["FAKE_DEVICES"] = "4";
  workshop.environment["FAKE_LOG"] = workshop.path("log");
  const auto checked = workshop.run({"check-kernels", "--devices", "2", "--quick"});
  INFO(checked.out << checked.err);
  CHECK(checked.exit_code == 0);
  CHECK(contains(checked.out, "4 rungs, no findings; "));
  std::ifstream log(workshop.path("log"));
  unsigned runs = 0;
  for (std::string line; std::getline(log, line); ++runs) CHECK(line.ends_with(" over 2"));
  CHECK(runs == 12);
  const auto named = workshop.run({"check-kernels", "--rung", "base", "--devices", "2"});
  CHECK(named.exit_code == 0);
  CHECK(contains(named.out, "1 rung, no findings; "));
}

TEST_CASE("check-kernels expects to find what is wrong on purpose") {
  Workshop workshop;
  workshop.environment["FAKE_EXPECTED_WRONG"] = "wrong";
  const auto found = workshop.run({"check-kernels", "--rung", "base,wrong"});
  INFO(found.out << found.err);
  CHECK(found.exit_code == 0);
  CHECK(contains(found.out, "1 finding, expected: it is wrong on purpose"));
  CHECK(contains(found.out, "2 rungs, 1 finding, expected; "));

  workshop.environment["FAKE_EXPECTED_WRONG"] = "base";
  const auto missed = workshop.run({"check-kernels", "--rung", "base"});
  INFO(missed.out << missed.err);
  CHECK(missed.exit_code == 1);
  CHECK(contains(missed.out, "NOT FOUND"));
  CHECK(contains(missed.out, "1 rung, no findings, 1 expected and not found; "));
}

TEST_CASE("a rung that crashes under check-kernels fails by itself") {
  Workshop workshop;
  const auto outcome = workshop.run({"check-kernels", "--rung", "crashes,base"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out,
                 "killed by signal 11 (Segmentation fault), at n = 0, i32, sum, random\n      Look "
                 "for a division by zero"));
  CHECK(!contains(outcome.out, "--timeout"));
  CHECK(contains(outcome.out, "2 rungs, 1 finding; "));
}

TEST_CASE("a rung that falls silent under check-kernels is given up, at its first size") {
  const OneCore one_core;  // while a worker of straw is silent, an hour passes for the others too
  Workshop workshop;
  workshop.environment["FAKE_SILENCE"] = workshop.path("silent");
  std::filesystem::create_directory(workshop.path("silent"));
  const auto outcome = workshop.run({"check-kernels", "--rung", "hangs,base", "--timeout", "0.5"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(
      outcome.out,
      "    no answer\n      no reply for 0.5 s, at n = 0, i32, sum, random\n      Look for "
      "a loop without end"));
  CHECK(contains(outcome.out, "2 rungs, 1 finding; "));
  CHECK(!contains(outcome.err, "has said nothing"));  // it may not be silent for so long
  CHECK(workshop.run({"check-kernels", "--timeout", "nan"}).exit_code == 2);
}

TEST_CASE("who waits for a silent rung is told after a while, once, for what and for how long") {
  const OneCore one_core;
  Workshop workshop;
  workshop.environment["FAKE_SILENCE"] = workshop.path("silent");
  std::filesystem::create_directory(workshop.path("silent"));
  const auto outcome = workshop.run(
      {"check-kernels", "--rung", "hangs,base", "--size", "7,9", "--timeout", "36000"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.err ==
        "ladder: handwritten/reduce/hangs has said nothing for 10 s, at n = 7, i32, sum, random. "
        "After 36000 s it is given up (--timeout).\n");
  CHECK(contains(outcome.out, "no reply for 36000 s, at n = 7"));

  // what it said of itself, unasked, is no reply, and is told in the end
  workshop.environment["FAKE_WHERE"] = "before";
  const auto unasked = workshop.run({"check-kernels", "--rung", "hangs", "--timeout", "0.5"});
  INFO(unasked.out << unasked.err);
  CHECK(contains(unasked.out, "no reply for 0.5 s, by straw.cu:6, at n = 0"));
  CHECK(unasked.err == "");
}

TEST_CASE("a silent rung is asked where it is") {
  const OneCore one_core;
  Workshop workshop;
  workshop.environment["FAKE_SILENCE"] = workshop.path("silent");
  workshop.environment["FAKE_STEP"] = "1";  // far fewer looks than it may be silent for
  workshop.environment["FAKE_WHERE"] = "asked";
  std::filesystem::create_directory(workshop.path("silent"));
  const auto outcome =
      workshop.run({"check-kernels", "--rung", "hangs", "--size", "7", "--timeout", "86400"});
  INFO(outcome.out << outcome.err);
  CHECK(contains(outcome.err, "has said nothing for 10 s, at n = 7, i32, sum, random."));
  CHECK(contains(outcome.err, "ladder: handwritten/reduce/hangs runs straw.cu:7.\n"));
  CHECK(contains(outcome.out, "ended: exit code 3, at n = 7"));
}

TEST_CASE("of what is found at several sizes, that is told which reaches farthest") {
  Workshop workshop;
  workshop.environment["FAKE_REACH"] = "yes";
  for (const char* sizes : {"100,900,500", "900,500,100"}) {
    const auto outcome = workshop.run({"check-kernels", "--rung", "wrong", "--size", sizes});
    INFO(outcome.out << outcome.err);
    CHECK(contains(outcome.out,
                   "race in straw_kernel, seen 1,500 times\n      Two straws meet at 900."));
    CHECK(contains(outcome.out, "1 rung, 1 finding; "));
  }
}

TEST_CASE(
    "check-kernels finds the same on one core, where a kernel leaves something in its program "
    "too") {
  Workshop workshop;
  workshop.environment["FAKE_REMEMBERS"] = "yes";
  const auto found = [&] {
    const std::string out = workshop.run({"check-kernels", "--rung", "better,base,crashes"}).out;
    return out.substr(0, out.rfind(';'));  // before the time
  };
  const std::string on_all = found();
  const OneCore one_core;
  CHECK(found() == on_all);
  CHECK(contains(on_all, "3 rungs, 1 finding"));
}

TEST_CASE("check-kernels as JSON, and what it refuses") {
  Workshop workshop;
  const auto outcome =
      workshop.run({"check-kernels", "--rung", "wrong", "--size", "5,7", "--json"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  const auto all = nlohmann::json::parse(outcome.out);
  REQUIRE(all.size() == 1);
  CHECK(all[0]["path"] == "handwritten/reduce/wrong");
  CHECK(all[0]["as_expected"] == false);
  CHECK(all[0]["findings"][0]["other_line"] == "a.cu:2");
  CHECK(all[0]["findings"][0]["times"] == 12);  // of both sizes
  CHECK(all[0]["accesses"] == 12);

  for (const char* option : {"--rung", "--operation", "--operator", "--dtype"}) {
    const auto refused = workshop.run({"check-kernels", option, "nothing"});
    CHECK(refused.exit_code == 2);
    CHECK(is_one_line(refused.err));
  }
}

TEST_CASE(
    "check-kernels varies what kernels get wrong, where nothing else is asked for, and --quick "
    "does not") {
  Workshop workshop;
  workshop.environment["FAKE_LOG"] = workshop.path("log");
  const auto asked = [&](std::vector<std::string> words) {
    std::filesystem::remove(workshop.path("log"));
    words.insert(words.begin(), {"check-kernels", "--rung", "base"});
    const auto outcome = workshop.run(words);
    INFO(outcome.out << outcome.err);
    CHECK(outcome.exit_code == 0);
    std::ifstream log(workshop.path("log"));
    return lines_in_any_order({std::istreambuf_iterator<char>(log), {}});  // two workers write them
  };
  // Type, n, input, offset, orders, multiprocessors.
  CHECK(asked({}) == lines_in_any_order("sum i32 0 random 0 5 on 8\n"
                                        "sum i32 1 random 0 5 on 8\n"
                                        "sum i32 1024 random 0 2 on 8\n"
                                        "sum i32 1025 random 0 5 on 8\n"
                                        "sum i32 4095 random 0 2 on 8\n"
                                        "sum i32 10007 random 0 5 on 8\n"
                                        "sum i32 40009 random 0 2 on 8\n"
                                        "sum f64 0 random 0 2 on 2\n"
                                        "sum f64 1 random 0 2 on 2\n"
                                        "sum f64 1025 random 0 2 on 2\n"
                                        "min i32 0 random 0 2 on 2\n"
                                        "min i32 1 random 0 2 on 2\n"
                                        "min f64 0 random 0 2 on 2\n"
                                        "min f64 1 random 0 2 on 2\n"
                                        "sum i32 1 random 1 2 on 2\n"
                                        "sum i32 10007 random 1 2 on 2\n"
                                        "sum f64 40009 random 1 2 on 2\n"
                                        "sum f64 40009 random 0 2 on 132\n"
                                        "sum i32 129 random 0 2 on 2\n"
                                        "sum i32 257 dyadic 1 2 on 3\n"
                                        "sum f64 257 random 2 2 on 2\n"
                                        "sum f64 129 dyadic 3 2 on 3\n"
                                        "min i32 129 random 1 2 on 2\n"
                                        "min i32 257 dyadic 0 2 on 3\n"
                                        "min f64 129 random 2 2 on 3\n"
                                        "min f64 257 dyadic 3 2 on 2\n"
                                        "sum i32 129 dyadic 2 2 on 2\n"
                                        "sum i32 129 random 3 2 on 2\n"
                                        "sum f64 129 random 0 2 on 2\n"
                                        "sum f64 129 random 1 2 on 2\n"
                                        "min i32 129 random 2 2 on 2\n"
                                        "min i32 129 random 3 2 on 2\n"
                                        "min f64 129 random 0 2 on 2\n"
                                        "min f64 129 random 1 2 on 2\n"));
  CHECK(asked({"--quick", "--seeds", "1"}) ==
        lines_in_any_order("sum i32 1 random 0 2 on 8\nsum i32 1025 random 0 2 on 8\nsum i32 10007 "
                           "random 0 2 on 8\n"));
  CHECK(asked({"--size", "7", "--distribution", "dyadic", "--offset", "0,3", "--dtype", "f64"}) ==
        lines_in_any_order("sum f64 7 dyadic 0 5 on 8\nsum f64 7 dyadic 3 5 on 8\n"));
  CHECK(workshop.run({"check-kernels", "--offset", "64"}).exit_code == 2);
  CHECK(contains(workshop.run({"check-kernels", "--offset", "x"}).err, "--offset: "));
}

TEST_CASE(
    "of a mistake that shows at many places, check-kernels prints three in full, and the lines of "
    "the others") {
  Workshop workshop;
  workshop.environment["FAKE_PLACES"] = "5";
  const auto outcome = workshop.run({"check-kernels", "--rung", "base", "--quick"});
  INFO(outcome.out << outcome.err);
  CHECK(contains(outcome.out,
                 "      Straw 3.\n      Apart.\n    race in straw_kernel, the same in 2 more "
                 "places:\n      b.cu:4 and b.cu:9\n      b.cu:5 and b.cu:9\n"));
  CHECK(!contains(outcome.out, "Straw 4."));
  CHECK(contains(outcome.out, "1 rung, 5 findings; "));
}

TEST_CASE("a remark is printed, and is no finding") {
  Workshop workshop;
  const auto outcome = workshop.run({"check-kernels", "--rung", "better", "--quick"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out,
                 "remark: barrier without all threads in straw_kernel, seen 3 times\n      One has "
                 "exited.\n"));
  CHECK(contains(outcome.out, "1 rung, no findings; "));
}
