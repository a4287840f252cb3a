// The trees of fakes: their heights, the bounds that follow, and what is no tree of all elements.
#include "compare/worker/trees.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compare/operations/reduce.hpp"
#include "compare/operations/scan.hpp"
#include "compare/problem/bounds.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/verifier/backend.hpp"
#include "compare/worker/verify.hpp"

using namespace ladder;

namespace {

unsigned runs_over_height = 0;

template <class T, class Op>
T chain(std::span<const T> elements) {
  T total = Op::template identity<T>();
  for (const T x : elements) total = Op()(total, x);
  return total;
}

template <class T, class Op>
T tree(std::span<const T> elements) {
  if (elements.size() < 2) return chain<T, Op>(elements);
  const std::size_t half = elements.size() / 2;
  return Op()(tree<T, Op>(elements.first(half)), tree<T, Op>(elements.subspan(half)));
}

struct Chain {
  template <class T, class Op>
  static T fold(std::span<const T> in) {
    return chain<T, Op>(in);
  }
};

struct Pairs {
  template <class T, class Op>
  static T fold(std::span<const T> in) {
    return tree<T, Op>(in);
  }
};

// In pairs, and then off by as much as a chain might be. What it does to heights is right.
struct Sloppy {
  template <class T, class Op>
  static T fold(std::span<const T> in) {
    const T sum = tree<T, Op>(in);
    if constexpr (std::is_integral_v<T>) return sum;
    else return sum * (1 + static_cast<T>(in.size()) * std::numeric_limits<T>::epsilon() / 8);
  }
};

struct DropsHalf {
  template <class T, class Op>
  static T fold(std::span<const T> in) {
    return tree<T, Op>(in.first((in.size() + 1) / 2));
  }
};

struct TakesOneTwice {
  template <class T, class Op>
  static T fold(std::span<const T> in) {
    return Op()(chain<T, Op>(in), in.front());
  }
};

// Right, but for heights, which it does not write.
struct WritesSumsOnly {
  template <class T, class Op>
  static T fold(std::span<const T> in) {
    if constexpr (std::is_same_v<Op, Height>) return static_cast<T>(0xa5a5a5a5'a5a5a5a5);
    else return tree<T, Op>(in);
  }
};

template <class T, class Op, class How>
class Fake final : public Prepared {
 public:
  using Device = typename Reduce<T, Op>::Device;
  explicit Fake(const Device& device) : device_(device) {}
  void restore(Stream) override {}
  void run(Stream) override {
    if (std::is_same_v<Op, Height>) ++runs_over_height;
    *device_.out = How::template fold<T, Op>(std::span(device_.in, device_.n));
  }
  void run_to_host(Stream, void* out) override {
    *static_cast<T*>(out) = How::template fold<T, Op>(std::span(device_.in, device_.n));
  }

  static std::unique_ptr<Prepared> prepare(const void* device) {
    return std::make_unique<Fake>(*static_cast<const Device*>(device));
  }

 private:
  Device device_;
};

template <class T, class How>
Implementation fake(const Card& card = {.idea = "a fake"}) {
  return {"fake", "reduce",
          "sum",  dtype_of<T>(),
          card,   Fake<T, Sum, How>::prepare,
          true,   Fake<HeightFor<T>, Height, How>::prepare};
}

ProblemSpec spec(std::string_view dtype, std::uint64_t n, std::string distribution = "uniform",
                 std::string operation = "reduce") {
  return {.operation = std::move(operation),
          .op = "sum",
          .dtype = std::string(dtype),
          .n = n,
          .distribution = std::move(distribution)};
}

std::unique_ptr<Problem> pose(const ProblemSpec& problem) {
  return find_kind(problem.operation, problem.op, problem.dtype)->pose(problem);
}

template <class T, class How>
std::shared_ptr<const Tree> tree_of(std::uint64_t n, const Card& card = {.idea = "a fake"}) {
  return Trees().of(fake<T, How>(card), *pose(spec(dtype_of<T>(), n)), Contract::device_result);
}

protocol::Answer answer(const Implementation& implementation, const ProblemSpec& problem,
                        Trees& trees) {
  const auto posed = pose(problem);
  protocol::VerifyRequest request;
  request.problem = problem;
  request.repeats = 3;
  protocol::Answer answer;
  verify(
      "verify", request, *posed, nullptr, {&implementation}, trees, [](std::string_view) {},
      [&](const protocol::Answer& a) { answer = a; });
  return answer;
}

protocol::Answer answer(const Implementation& implementation, const ProblemSpec& problem) {
  Trees trees;
  return answer(implementation, problem, trees);
}

void check_caught(const protocol::Answer& answer, const std::string& by) {
  INFO(answer.reason);
  CHECK_FALSE(answer.pass);
  CHECK(answer.reason.find(by) != std::string::npos);
}

}  // namespace

TEST_CASE(
    "height: leaves are 0, nothing changes nothing, and each application adds one to the higher "
    "side") {
  constexpr Height op;
  constexpr auto nothing = Height::identity<std::int32_t>();
  CHECK(op(0, 0) == 1);
  CHECK(op(3, 1) == 4);
  CHECK(op(1, 3) == 4);
  CHECK(op(nothing, 0) == 0);
  CHECK(op(5, nothing) == 5);
  CHECK(op(nothing, nothing) == nothing);
  CHECK(std::is_same_v<HeightFor<float>, std::int32_t>);
  CHECK(std::is_same_v<HeightFor<double>, std::int64_t>);
}

TEST_CASE("the height of a chain is n - 1 and of a tree of pairs ceil(log2 n), in either size") {
  for (const std::uint64_t n : {1, 2, 3, 512, 513, 1000}) {
    INFO(n);
    const auto log = static_cast<std::uint32_t>(std::ceil(std::log2(n)));
    CHECK(tree_of<float, Chain>(n)->summation.heights ==
          Heights{static_cast<std::uint32_t>(n - 1)});
    CHECK(tree_of<double, Chain>(n)->summation.heights ==
          Heights{static_cast<std::uint32_t>(n - 1)});
    CHECK(tree_of<float, Pairs>(n)->summation.heights == Heights{log});
    CHECK(tree_of<double, Pairs>(n)->summation.heights == Heights{log});
    CHECK(tree_of<double, Pairs>(n)->steps == log);
    CHECK(tree_of<double, Pairs>(n)->flaw.empty());
  }
  CHECK(tree_of<float, Pairs>(0)->steps == 0U);
  CHECK_FALSE(tree_of<float, Pairs>(0)->work);  // nobody counts here
}

TEST_CASE("an answer is held to the bound of its own tree") {
  constexpr std::uint64_t n = 1000;
  const auto chain = answer(fake<float, Chain>(), spec("f32", n)),
             pairs = answer(fake<float, Pairs>(), spec("f32", n));
  CHECK(chain.pass);
  CHECK(pairs.pass);
  // the exact result's own rounding is in both
  CHECK(chain.bound / pairs.bound == Approx(999.0 / 10).epsilon(0.15));

  Implementation unmeasured = fake<float, Sloppy>();
  unmeasured.prepare_tree = nullptr;
  const auto believed = answer(unmeasured, spec("f32", n));
  CHECK(believed.pass);
  CHECK(believed.bound == chain.bound);
  check_caught(answer(fake<float, Sloppy>(), spec("f32", n)), "and may be off by");
  CHECK(answer(fake<double, Pairs>(), spec("f64", n)).pass);
  check_caught(answer(fake<double, Sloppy>(), spec("f64", n)), "and may be off by");
}

TEST_CASE("a tree that is low enough has a bound where a chain has none", "[many]") {
  constexpr std::uint64_t past_the_bound = (1 << 23) + 2;
  CHECK_FALSE(answer(fake<float, Chain>(), spec("f32", past_the_bound)).bounded);
  const auto pairs = answer(fake<float, Pairs>(), spec("f32", past_the_bound));
  CHECK(pairs.pass);
  CHECK(pairs.bounded);
}

TEST_CASE("what is no tree of all elements is caught, whatever the sum") {
  check_caught(
      answer(fake<float, DropsHalf>(), spec("f32", 512)),
      "its summation tree loses elements: out[0], of 512, has height 8, and 9 is the least");
  check_caught(answer(fake<double, TakesOneTwice>(), spec("f64", 512)),
               "has elements twice, or values that are no elements: out[0], of 512, has height "
               "512, and 511 is the most");
  check_caught(answer(fake<float, WritesSumsOnly>(), spec("f32", 512)),
               "over heights, out[0] was not written");
  check_caught(answer(fake<double, WritesSumsOnly>(), spec("f64", 512)),
               "over heights, out[0] was not written");
}

TEST_CASE(
    "of a tree that varies from run to run no height is believed, and of a rung that is wrong on "
    "purpose none is measured") {
  const auto varying = tree_of<float, Pairs>(512, {.idea = "a fake", .same_bits_every_run = false});
  CHECK(varying->summation.heights.empty());
  CHECK(varying->steps == 9U);
  CHECK(answer(fake<float, Sloppy>({.idea = "a fake", .same_bits_every_run = false}),
               spec("f32", 1000))
            .pass);
  check_caught(answer(fake<float, DropsHalf>({.idea = "a fake", .same_bits_every_run = false}),
                      spec("f32", 512)),
               "loses elements");
  CHECK_FALSE(tree_of<float, Pairs>(512, {.idea = "a fake", .expected_wrong = true})->steps);
}

TEST_CASE("a tree is measured once, and only where an answer may be off") {
  Trees trees;
  runs_over_height = 0;
  const auto rung = fake<float, Pairs>();
  CHECK(answer(rung, spec("f32", 1000, "dyadic"), trees).pass);
  CHECK(runs_over_height == 0);
  CHECK(answer(rung, spec("f32", 1000), trees).pass);
  CHECK(answer(rung, spec("f32", 1000, "cancellation"), trees).pass);
  CHECK(runs_over_height == 1);
  CHECK(answer(rung, spec("f32", 1001), trees).pass);
  CHECK(answer(fake<double, Pairs>(), spec("f64", 1001), trees).pass);
  auto displaced = spec("f32", 1001);
  displaced.offset = 1;  // a rung may see to its alignment first
  CHECK(answer(rung, displaced, trees).pass);
  CHECK(runs_over_height == 4);
}

TEST_CASE("what a card says of its sums is asked of them, also where they are exact") {
  const auto asked = [](const Card& card) {
    const auto problem = pose(spec("f32", 100, "dyadic"));
    return Trees().to_judge(fake<float, Pairs>(card), *problem, Contract::device_result)->summation;
  };
  CHECK(asked({.idea = ""}) == Summation{});
  CHECK(asked({.idea = "", .compensated = true}) == Summation{.is_compensated = true});
  CHECK(asked({.idea = "", .flushes_subnormals = true}) == Summation{.flushes_subnormals = true});
  CHECK(asked({.idea = "", .returns_elements = true}) == Summation{.returns_elements = true});
  CHECK(asked({.idea = "", .accumulates_elements = true}) ==
        Summation{.returns_elements = true, .accumulates_elements = true});
}

TEST_CASE("of a product all roundings count, whatever the tree") {
  for (const std::string operation : {"reduce", "inclusive_scan", "exclusive_scan"}) {
    auto product = spec("f32", 1000, "uniform", operation);
    CHECK(pose(product)->depends_on_summation());
    product.op = "product";
    CHECK_FALSE(pose(product)->depends_on_summation());
    product.dtype = "i32";
    CHECK_FALSE(pose(product)->depends_on_summation());
  }
}

TEST_CASE("where leaves do not fit, any order is allowed for") {
  const auto problem = pose(spec("f32", 1 << 12));
  tests::device_bytes = 1 << 12;
  const auto tree = Trees().of(fake<float, Pairs>(), *problem, Contract::device_result);
  tests::device_bytes = std::numeric_limits<std::size_t>::max();
  CHECK(tree->summation.heights.empty());
  CHECK_FALSE(tree->steps);
  CHECK(tree->flaw.empty());
}

TEST_CASE("scans: each result has a tree, the first of an exclusive scan has none", "[many]") {
  for (const std::string name : {"inclusive_scan", "exclusive_scan"}) {
    const bool inclusive = name == "inclusive_scan";
    const auto leaves = pose(spec("f64", 100, "uniform", name))->leaves();
    const auto& d = *static_cast<const ScanArguments<std::int64_t>*>(leaves->device());
    CHECK(std::all_of(d.in, d.in + d.n, [](std::int64_t height) { return height == 0; }));
    const auto check = [&] { return leaves->check(Contract::device_result, {}); };
    auto running = Height::identity<std::int64_t>();
    for (std::size_t i = 0; i < d.n; ++i) {
      if (!inclusive) d.out[i] = running;
      running = Height()(running, d.in[i]);
      if (inclusive) d.out[i] = running;
    }
    CHECK(check().pass);
    d.out[50] = 3;
    CHECK(check().reason.starts_with("its summation tree loses elements: out[50]"));
    d.out[50] = 51;
    CHECK(check().reason.starts_with(
        "its summation tree has elements twice, or values that are no elements: out[50]"));
    CHECK(pose(spec("f32", (1 << 24) + 1, "constant", name))->leaves() == nullptr);
  }
  auto dot = spec("f32", 100, "uniform", "dot");
  dot.op = {};
  CHECK(pose(dot)->leaves() == nullptr);
}

TEST_CASE("scans: each prefix is held to the height of its own tree") {
  const auto problem = pose(spec("f32", 1000, "uniform", "inclusive_scan"));
  CHECK(problem->depends_on_summation());
  const auto& d = *static_cast<const ScanArguments<float>*>(problem->device());
  double sum = 0;
  for (std::size_t i = 0; i < d.n; ++i)
    d.out[i] = static_cast<float>(sum += static_cast<double>(d.in[i]));
  Summation low{Heights(d.n)};
  for (std::size_t i = 0; i < d.n; ++i)
    low.heights[i] = static_cast<std::uint32_t>(std::bit_width(i));
  CHECK(problem->check(Contract::device_result, low).pass);
  d.out[900] += static_cast<float>(gamma<float>(100) * sum);
  CHECK(problem->check(Contract::device_result, {}).pass);
  CHECK_FALSE(problem->check(Contract::device_result, low).pass);
  low.heights[900] = 900;
  CHECK(problem->check(Contract::device_result, low).pass);
}
