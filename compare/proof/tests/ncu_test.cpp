// ncu's CSV as it is, and as it should not be.
#include "compare/proof/ncu.hpp"

#include "compare/tests/catch.hpp"

using namespace ladder::proof;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* header =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel "
    "Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
    "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

std::string line(int id, const std::string& kernel, const std::string& metric,
                 const std::string& unit, const std::string& value) {
  return "\"" + std::to_string(id) + "\",\"4711\",\"worker_cuda\",\"127.0.0.1\",\"" + kernel +
         "\",\"1\",\"13\",\"(256, 1, 1)\",\"(1056, 1, 1)\",\"0\",\"9.0\",\"Command line profiler "
         "metrics\",\"" +
         metric + "\",\"" + unit + "\",\"" + value + "\"\n";
}

std::string launch(int id, const std::string& kernel, const std::string& ns,
                   const std::string& read, const std::string& written) {
  return line(id, kernel, "dram__bytes_read.sum", "byte", read) +
         line(id, kernel, "dram__bytes_write.sum", "byte", written) +
         line(id, kernel, "gpu__time_duration.sum", "ns", ns);
}

const std::string log_of_two =
    "==PROF== Connected to process 4711\n==PROF== Profiling \"DeviceReduceKernel\": "
    "0%....50%....100% - 1 pass\n" +
    std::string(header) +
    launch(0, "void DeviceReduceKernel<int, Sum>(const int *, int *)", "470000", "2147483648",
           "1024") +
    launch(1, "DeviceReduceSingleTileKernel", "3,000", "2,048", "0") +
    "==PROF== Disconnected from process 4711\n";

}  // namespace

TEST_CASE("launches are read from a log that holds other lines too") {
  const auto launches = read_ncu(log_of_two);
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].kernel == "void DeviceReduceKernel<int, Sum>(const int *, int *)");
  CHECK(launches[0].ns == 470'000);
  CHECK(launches[0].dram_bytes == 2'147'484'672);
  CHECK(launches[1].ns == 3000);
  CHECK(launches[1].dram_bytes == 2048);
}

TEST_CASE("what ncu says besides is passed over") {
  const auto launches = read_ncu(log_of_two + line(0, "DeviceReduceKernel", "", "", "") +
                                 line(1, "k", "launch__waves", "%", "12"));
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].ns == 470'000);
}

TEST_CASE("a log that lacks something is refused") {
  const std::string first(header);
  CHECK_THROWS_WITH(read_ncu(""), ContainsSubstring("profiled no kernel"));
  CHECK_THROWS_WITH(read_ncu("==WARNING== No kernels were profiled.\n"),
                    ContainsSubstring("profiled no kernel"));
  CHECK_THROWS_WITH(read_ncu(first + line(0, "k", "gpu__time_duration.sum", "ns", "1")),
                    ContainsSubstring("no dram__bytes_read.sum of k"));
  CHECK_THROWS_WITH(read_ncu(first + line(0, "k", "gpu__time_duration.sum", "usecond", "1")),
                    ContainsSubstring("in usecond"));
  CHECK_THROWS_WITH(read_ncu(first + line(0, "k", "gpu__time_duration.sum", "ns", "n/a")),
                    ContainsSubstring("\"n/a\""));
  CHECK_THROWS_WITH(read_ncu(first + "\"0\",\"4711\"\n"), ContainsSubstring("not as long"));
  CHECK_THROWS_WITH(read_ncu("\"ID\",\"Kernel Name\"\n\"0\",\"k\"\n"),
                    ContainsSubstring("no column Metric Name"));
}

TEST_CASE("where ncu is missing or not permitted, nothing is tested and nothing fails") {
  const auto missing =
      why_not_profiled(127, "timeout: failed to run command 'ncu': No such file or directory\n");
  const auto forbidden = why_not_profiled(1,
                                          "==ERROR== ERR_NVGPUCTRPERM - The user does not have "
                                          "permission to access NVIDIA GPU Performance Counters\n");
  CHECK(missing == "there is no ncu here");
  CHECK_THAT(forbidden.value(), ContainsSubstring("ERR_NVGPUCTRPERM"));
  for (const auto& why : {missing, forbidden}) {
    const auto checks = unprofiled("vendor/reduce/cub", why.value());
    CHECK(checks.size() == 2);
    for (const Check& check : checks) CHECK(verdict(check) == "not testable here");
    CHECK(all_hold(checks));
  }
  CHECK(why_not_profiled(9, "==ERROR== The application returned an error\n") ==
        "ncu failed: ==ERROR== The application returned an error");
  CHECK(why_not_profiled(124, "") == "ncu failed with exit code 124");
  CHECK_FALSE(why_not_profiled(0, log_of_two));
}

TEST_CASE("the launches of an implementation are added up, as the mean of its runs") {
  const std::vector<Launch> launches{{"DeviceReduceKernel", 470e3, 2e9},
                                     {"DeviceReduceSingleTileKernel", 2e3, 1e6},
                                     {"single_pass_kernel", 9e9, 9e9},
                                     {"DeviceReduceKernel", 472e3, 2e9},
                                     {"DeviceReduceSingleTileKernel", 2e3, 1e6}};
  Profiled one{.name = "cub"};
  add_launches(launches, "DeviceReduce", 2, one);
  CHECK(one.ncu_us == Approx(473));
  CHECK(one.counted_bytes == Approx(2.001e9));
  CHECK_THROWS_WITH(add_launches(launches, "DeviceScan", 2, one),
                    ContainsSubstring("no kernel of cub"));
}

TEST_CASE("a time and bytes within 5 % hold, others do not") {
  const auto verdicts = [](double clock_us, double counted) {
    const auto checks = check_profiled({.name = "cub",
                                        .ncu_us = 470,
                                        .clock_us = clock_us,
                                        .counted_bytes = counted,
                                        .formula_bytes = 1000});
    return std::pair(verdict(checks[0]) == "holds", verdict(checks[1]) == "holds");
  };
  CHECK(verdicts(475, 1010) == std::pair(true, true));
  CHECK(verdicts(497, 1049) == std::pair(false, true));
  CHECK(verdicts(440, 951) == std::pair(false, true));
  CHECK(verdicts(475, 1051) == std::pair(true, false));
  CHECK(verdicts(475, 900) == std::pair(true, false));
}
