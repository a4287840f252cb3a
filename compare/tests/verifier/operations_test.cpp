// Every operation but reduce, held to the loop that everyone would write: it passes, and with one
// mistake it does not.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compare/operation.hpp"
#include "compare/operations/dot.hpp"
#include "compare/operations/histogram.hpp"
#include "compare/operations/inputs.hpp"
#include "compare/operations/scan.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/verifier/backend.hpp"

using namespace ladder;

namespace {

std::unique_ptr<Problem> pose(const char* name, std::string_view op, std::string_view dtype,
                              std::uint64_t n, std::string_view distribution, unsigned bins = 0) {
  const Kind* kind = find_kind(name, op, dtype);
  REQUIRE(kind != nullptr);
  return kind->pose({.operation = name,
                     .op = std::string(op),
                     .dtype = std::string(dtype),
                     .n = n,
                     .distribution = std::string(distribution),
                     .bins = bins,
                     .seed = 3});
}

template <class Device>
const Device& arguments(Problem& problem) {
  return *static_cast<const Device*>(problem.device());
}

bool passes(Problem& problem) {
  const Verdict verdict = problem.check(Contract::device_result, {});
  INFO(verdict.reason);
  return verdict.pass;
}

template <class T, class Op>
void scan(const ScanArguments<T>& d, bool inclusive) {
  auto running = Op::template identity<Accumulator<T>>();
  for (std::size_t i = 0; i < d.n; ++i) {
    if (!inclusive) d.out[i] = static_cast<T>(running);
    running = Op()(running, Accumulator<T>(d.in[i]));
    if (inclusive) d.out[i] = static_cast<T>(running);
  }
}

template <class T, class Op>
void check_scan() {
  for (const char* name : {"inclusive_scan", "exclusive_scan"}) {
    for (const auto distribution : find_kind(name, Op::name, dtype_of<T>())->distributions) {
      // 70,000: its checksum is looked at first
      for (const std::uint64_t n : {0, 1, 2, 1000, 70'000}) {
        INFO(name << ' ' << Op::name << ' ' << dtype_of<T>() << ' ' << distribution
                  << " n = " << n);
        const auto problem = pose(name, Op::name, dtype_of<T>(), n, distribution);
        const auto& d = arguments<ScanArguments<T>>(*problem);
        const bool inclusive = std::string(name) == "inclusive_scan";
        if (n > 0) CHECK_FALSE(passes(*problem));
        scan<T, Op>(d, inclusive);
        CHECK(passes(*problem));
        if (n == 0 || std::isnan(static_cast<double>(d.out[n - 1]))) continue;
        // no sum comes within a bound of the wrong one of these ..
        d.out[n - 1] = d.out[n - 1] == T(1) ? T(0) : T(1);
        if (std::is_integral_v<T>) CHECK_FALSE(passes(*problem));  // .. but of floats one may
      }
    }
  }
}

template <class T>
void check_scans() {
  check_scan<T, Sum>();
  check_scan<T, Product>();
  check_scan<T, LogicalOr>();
  check_scan<T, LogicalAnd>();
}

}  // namespace

TEST_CASE("scans: the loop passes for every type, operator, kind and input", "[many]") {
  check_scans<std::int32_t>();
  check_scans<std::int64_t>();
  check_scans<float>();
  check_scans<double>();
  check_scan<std::int64_t, Compose>();
  check_scan<F16, Sum>();
  check_scan<BF16, Sum>();
}

TEST_CASE(
    "scans: an order which is not the elements' is caught where the operator does not commute") {
  const auto problem = pose("inclusive_scan", "compose", "i64", 100, "uniform");
  const auto& d = arguments<ScanArguments<std::int64_t>>(*problem);
  auto running = Compose::identity<std::int64_t>();
  for (std::size_t i = 0; i < d.n; ++i) d.out[i] = running = Compose()(d.in[i], running);
  CHECK_FALSE(passes(*problem));
}

TEST_CASE("scans: the last of many compositions still depends on the first map") {
  for (const char* distribution : {"uniform", "constant"}) {
    INFO(distribution);
    const auto problem = pose("inclusive_scan", "compose", "i64", 10'000, distribution);
    const auto& d = arguments<ScanArguments<std::int64_t>>(*problem);
    scan<std::int64_t, Compose>(d, true);
    CHECK(passes(*problem));
    auto without_first = Compose::identity<std::int64_t>();
    for (std::size_t i = 1; i < d.n; ++i) without_first = Compose()(without_first, d.in[i]);
    d.out[d.n - 1] = without_first;
    CHECK_FALSE(passes(*problem));
  }
}

TEST_CASE("scans: of a float sum each prefix has its own bound") {
  const auto problem = pose("inclusive_scan", "sum", "f32", 1000, "uniform");
  const auto& d = arguments<ScanArguments<float>>(*problem);
  scan<float, Sum>(d, true);
  const float first = d.out[0], last = d.out[999];
  d.out[999] = std::nextafter(last, 2 * last);
  CHECK(passes(*problem));
  d.out[999] = last;
  d.out[0] = std::nextafter(first, 2.0F);
  CHECK_FALSE(passes(*problem));
}

namespace {

template <class T>
void check_histograms(std::initializer_list<unsigned> all_bins) {
  for (const unsigned bins : all_bins) {
    for (const auto distribution : find_kind("histogram", "", dtype_of<T>())->distributions) {
      for (const std::uint64_t n : {0, 1, 1000, 300'000}) {  // 300,000: counted by two threads
        INFO(dtype_of<T>() << ", " << bins << " bins, " << distribution << ", n = " << n);
        const auto problem = pose("histogram", "", dtype_of<T>(), n, distribution, bins);
        const auto& d = arguments<typename Histogram<T>::Device>(*problem);
        std::fill_n(d.out, bins, 0);
        for (std::size_t i = 0; i < n; ++i) {
          REQUIRE((d.in[i] >= 0 && static_cast<unsigned>(d.in[i]) < bins));
          ++d.out[d.in[i]];
        }
        CHECK(passes(*problem));
        if (distribution == "constant" && n > 0)
          CHECK(std::ranges::count(std::vector(d.out, d.out + bins), 0) == bins - 1);
        if (distribution == "uniform" && n == 300'000)
          CHECK(std::ranges::count(std::vector(d.out, d.out + std::min(bins, 256U)), 0) < 8);
        if (distribution == "sorted") CHECK(std::is_sorted(d.in, d.in + n));
        if (distribution == "extremes" && n == 1000 && bins > 1) {
          CHECK(d.out[0] + d.out[bins - 1] == 1000);
          CHECK(std::min(d.out[0], d.out[bins - 1]) > 300);
        }
        if (distribution == "zipf" && n == 300'000 && bins > 1)
          CHECK(d.out[0] == Approx(2 * d.out[1]).epsilon(0.05));
        if (n == 0) continue;
        --d.out[d.in[0]];
        const Verdict verdict = problem->check(Contract::device_result, {});
        CHECK_FALSE(verdict.pass);
        CHECK(verdict.lost_counts == 1U);
      }
    }
  }
}

}  // namespace

TEST_CASE("an array of bytes may begin anywhere, and a change of any is noticed") {
  for (const unsigned offset : {0U, 1U, 2U, 3U, 15U}) {
    for (const std::uint64_t n : {1, 2, 3, 5, 100}) {
      INFO("offset " << offset << ", n = " << n);
      const auto problem = find_kind("histogram", "", "u8")
                               ->pose({.operation = "histogram",
                                       .op = "",
                                       .dtype = "u8",
                                       .n = n,
                                       .distribution = "constant",
                                       .bins = 256,
                                       .offset = offset});
      const auto& d = arguments<Histogram<std::uint8_t>::Device>(*problem);
      CHECK(reinterpret_cast<std::uintptr_t>(d.in) % 256 == offset);
      std::fill_n(d.out, 256, 0);
      d.out[d.in[0]] = static_cast<std::int32_t>(n);
      CHECK(passes(*problem));
      for (const std::uint64_t i : {std::uint64_t{0}, n - 1}) {
        const_cast<std::uint8_t*>(d.in)[i] ^= 1;
        CHECK_FALSE(passes(*problem));
        CHECK(passes(*problem));  // mended
      }
    }
  }
}

TEST_CASE("histogram: the loop passes, a lost count does not, and every value has its bin",
          "[many]") {
  check_histograms<std::int32_t>({1, 10, 256, 65'536});
  check_histograms<std::uint8_t>({1, 10, 256});
  CHECK_THROWS_AS(pose("histogram", "", "i32", 10, "uniform", 0), std::invalid_argument);
  CHECK_THROWS_AS(pose("histogram", "", "i32", 10, "uniform", 65'537), std::invalid_argument);
  CHECK_THROWS_AS(pose("histogram", "", "u8", 10, "uniform", 257), std::invalid_argument);
  CHECK_THROWS_AS(pose("histogram", "", "i32", 10, "lumpy", 10), std::invalid_argument);
}

TEST_CASE("histogram: of zipf, bin b has a share of 1 / (b + 1)") {
  for (const unsigned bins : {1U, 2U, 10U, 256U, 65'536U}) {
    INFO(bins);
    std::vector<std::uint64_t> shares;
    for (std::uint64_t b = 0, sum = 0; b < bins; ++b)
      shares.push_back(sum += (std::uint64_t{1} << 32) / (b + 1));
    const auto problem = pose("histogram", "", "i32", 100'000, "zipf", bins);
    const auto& d = arguments<Histogram<std::int32_t>::Device>(*problem);
    for (std::size_t i = 0; i < d.n; ++i) {
      const std::uint64_t share = below(shares.back(), random_bits(3, i));
      REQUIRE(d.in[i] == std::ranges::upper_bound(shares, share) - shares.begin());
    }
  }
}

namespace {

template <class T>
T dot(const typename Dot<T>::Device& d, std::size_t n) {
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum = Sum()(sum, Product()(d.a[i], d.b[i]));
  return sum;
}

template <class T>
T cubes(const typename SumOfCubes<T>::Device& d, std::size_t n) {
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum = Sum()(sum, cube(d.in[i]));
  return sum;
}

// compute(arguments, n): the loop over the first n elements.
template <class T, class Device>
void check_loop(const char* name, T (*compute)(const Device&, std::size_t)) {
  for (const auto distribution : find_kind(name, "", dtype_of<T>())->distributions) {
    for (const std::uint64_t n : {0, 1, 2, 1001, 300'000}) {
      INFO(name << ' ' << dtype_of<T>() << ' ' << distribution << " n = " << n);
      const auto problem = pose(name, "", dtype_of<T>(), n, distribution);
      const auto& d = arguments<Device>(*problem);
      *d.out = compute(d, n);
      CHECK(passes(*problem));
      const bool exact =
          distribution == "dyadic" || (std::is_integral_v<T> && distribution == "constant");
      if (exact && n > 0) {  // no element is 0 there
        *d.out = compute(d, n - 1);
        CHECK_FALSE(passes(*problem));
      }
    }
  }
}

}  // namespace

TEST_CASE(
    "dot and sum of cubes: the loop passes for every type and input, and without its last element "
    "it does not",
    "[many]") {
  check_loop<std::int32_t>("dot", dot<std::int32_t>);
  check_loop<std::int64_t>("dot", dot<std::int64_t>);
  check_loop<float>("dot", dot<float>);
  check_loop<double>("dot", dot<double>);
  check_loop<std::int32_t>("sum_of_cubes", cubes<std::int32_t>);
  check_loop<std::int64_t>("sum_of_cubes", cubes<std::int64_t>);
  check_loop<float>("sum_of_cubes", cubes<float>);
  check_loop<double>("sum_of_cubes", cubes<double>);
}

TEST_CASE("dot and sum of cubes: one product overflows, and no factor is infinite") {
  for (const char* name : {"dot", "sum_of_cubes"})
    for (const std::uint64_t seed : {3, 4}) {
      const auto problem = find_kind(name, "", "f64")
                               ->pose({.operation = name,
                                       .op = "",
                                       .dtype = "f64",
                                       .n = 100,
                                       .distribution = "overflow",
                                       .seed = seed});
      double* out = nullptr;
      std::span<const double> in;
      if (name == std::string("dot")) {
        const auto& d = arguments<Dot<double>::Device>(*problem);
        in = {d.a, d.n}, out = d.out;
      } else {
        const auto& d = arguments<SumOfCubes<double>::Device>(*problem);
        in = {d.in, d.n}, out = d.out;
      }
      CHECK(std::ranges::all_of(in, [](double x) { return std::isfinite(x); }));
      *out = (seed == 3 ? 1 : -1) * std::numeric_limits<double>::infinity();
      CHECK(passes(*problem));
      *out = -*out;
      CHECK_FALSE(passes(*problem));
      *out = std::numeric_limits<double>::quiet_NaN();
      CHECK_FALSE(passes(*problem));
    }
}

TEST_CASE(
    "dot: what is ill conditioned comes out wrong in most digits by the loop, and right in twice "
    "the precision") {
  constexpr std::uint64_t n = 1000;
  const auto problem = pose("dot", "", "f32", n, "ill_conditioned");
  const auto& d = arguments<Dot<float>::Device>(*problem);
  *d.out = dot<float>(d, n);
  const Verdict loop = problem->check(Contract::device_result, {});
  CHECK(loop.pass);
  CHECK(loop.ulp_max > 100);

  double wide = 0;
  for (std::size_t i = 0; i < n; ++i)
    wide += static_cast<double>(d.a[i]) * static_cast<double>(d.b[i]);
  *d.out = static_cast<float>(wide);
  CHECK(problem->check(Contract::device_result, {}).ulp_max <= 1);
}

TEST_CASE("dot: who adds up what is lost is held to the bound of twice the precision") {
  constexpr std::uint64_t n = 1000;
  const Summation compensated{.heights = {}, .is_compensated = true};
  for (const char* distribution : {"uniform", "ill_conditioned"}) {
    const auto problem = pose("dot", "", "f32", n, distribution);
    const auto& d = arguments<Dot<float>::Device>(*problem);
    double wide = 0;
    for (std::size_t i = 0; i < n; ++i)
      wide += static_cast<double>(d.a[i]) * static_cast<double>(d.b[i]);
    *d.out = static_cast<float>(wide);
    CHECK(problem->check(Contract::device_result, compensated).pass);

    const double plain = problem->check(Contract::device_result, {}).bound;
    *d.out = static_cast<float>(wide + 0.1 * plain);
    CHECK(problem->check(Contract::device_result, {}).pass);
    CHECK_FALSE(problem->check(Contract::device_result, compensated).pass);
  }
}

TEST_CASE(
    "an answer with the bits of the last right one is right and not looked at, any other is") {
  const auto problem = pose("dot", "", "f32", 1000, "ill_conditioned");
  const auto& d = arguments<Dot<float>::Device>(*problem);
  RightAnswer last;
  const auto check = [&](std::size_t fetched, Contract contract = Contract::device_result) {
    tests::fetched_bytes = 0;
    const Verdict verdict = problem->check(contract, {}, &last);
    CHECK(tests::fetched_bytes == fetched);
    return verdict;
  };
  const float loop = *d.out = dot<float>(d, 1000);
  const double its_error = check(sizeof(float)).ulp_max;
  CHECK(its_error > 100);
  CHECK(check(0).ulp_max == its_error);

  *d.out = std::numeric_limits<float>::quiet_NaN();
  for (int again = 0; again < 2; ++again) CHECK_FALSE(check(sizeof(float)).pass);
  *d.out = loop;
  CHECK(check(0).pass);

  *d.out = std::nextafter(loop, 0.0F);
  CHECK(check(sizeof(float)).ulp_max != its_error);
  CHECK(check(0).ulp_max != its_error);

  *static_cast<float*>(problem->host_output()) = loop;  // it is not downloaded
  CHECK(check(0, Contract::host_result).ulp_max == its_error);
  problem->poison();
  CHECK_FALSE(check(0, Contract::host_result).pass);

  // guards and inputs are no part of it
  *d.out = loop;
  CHECK(check(0).pass);
  const_cast<float&>(d.a[7]) = 3;
  CHECK(problem->check(Contract::device_result, {}, &last)
            .reason.starts_with("modified its input: in[7]"));
  d.out[1] = 5;
  CHECK(problem->check(Contract::device_result, {}, &last)
            .reason.starts_with("wrote outside its output"));
}

TEST_CASE("an answer that was written after its run is not remembered as right") {
  const auto problem = pose("dot", "", "f32", 1000, "ill_conditioned");
  const auto& d = arguments<Dot<float>::Device>(*problem);
  RightAnswer last;
  tests::before_download = [&] { *d.out = dot<float>(d, 1000); };
  CHECK(problem->check(Contract::device_result, {}, &last).pass);
  tests::before_download = nullptr;
  problem->poison();
  CHECK_FALSE(problem->check(Contract::device_result, {}, &last).pass);
}

TEST_CASE("no rung is blamed if only the checksum of a guard has changed") {
  const auto problem = pose("dot", "", "f32", 1000, "uniform");
  const auto& d = arguments<Dot<float>::Device>(*problem);
  *d.out = dot<float>(d, 1000);
  const float intact = std::exchange(d.out[1], 5.0F);
  tests::before_download = [&] { d.out[1] = intact; };
  CHECK_THROWS_AS(problem->check(Contract::device_result, {}), std::logic_error);
  tests::before_download = nullptr;
  CHECK(problem->check(Contract::device_result, {}).pass);
}

TEST_CASE("every operation reads and writes what it declares") {
  using reports::Output;
  constexpr std::uint64_t n = 1000;
  for (const Kind& kind : kinds()) {
    const reports::Operation& declared = *kind.operation;
    INFO(declared.name << ' ' << kind.op << " of " << kind.dtype);
    const auto problem = pose(declared.name.c_str(), kind.op, kind.dtype, n,
                              kind.distributions.front(), declared.usual_bins);
    const reports::Input input{declared.name,      {}, std::string(kind.dtype), n, {},
                               declared.usual_bins};
    CHECK(reports::Bytes{problem->bytes_read(), problem->bytes_written()} ==
          minimum_bytes(declared, input));
    CHECK((declared.output == Output::one_per_bin) == (declared.usual_bins > 0));
    CHECK(declared.usual_bins <= declared.most_bins);
  }
}

TEST_CASE("operations stand by their places, with their operators and the usual input first") {
  std::vector<std::string> names;
  for (const reports::Operation& operation : operations()) names.push_back(operation.name);
  CHECK(names == std::vector<std::string>{"reduce", "sum_of_cubes", "inclusive_scan",
                                          "exclusive_scan", "histogram", "dot"});
  CHECK(operations()[0].operators ==
        std::vector<std::string>{"sum", "product", "min", "max", "logical_or", "logical_and"});
  CHECK(operations()[1].operators.empty());
  CHECK(kinds().front().operation == operations().data());
  CHECK(find_kind("sum_of_cubes", "", "i32")->distributions.front() == "digits");
  CHECK(find_kind("sum_of_cubes", "", "f32")->distributions.front() == "uniform");
  CHECK(find_kind("inclusive_scan", "sum", "f32")->distributions.front() == "dyadic");
  CHECK(find_kind("inclusive_scan", "sum", "i32")->distributions.front() == "uniform");
}
