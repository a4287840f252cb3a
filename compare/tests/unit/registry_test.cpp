#include "compare/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <stdexcept>

#include "compare/operators.hpp"
#include "compare/register.hpp"
#include "compare/tests/catch.hpp"

using namespace ladder;

namespace {

template <class T, class Op = Sum>
struct Fold {
  static constexpr std::string_view name = "fold";
  using operators = TypeList<Sum, Max>;
  struct Device {
    T a, b;
    T* out;
    static std::size_t results() { return 1; }
  };
};

template <class T>
struct Pick {
  static constexpr std::string_view name = "pick";
  using operators = TypeList<>;
  struct Device {
    T a;
    T* out;
    static std::size_t results() { return 1; }
  };
};

template <class T, class Op>
class Folds {
 public:
  explicit Folds(const typename Fold<T, Op>::Device& device) : device_(device) {}
  void operator()(Stream) { *device_.out = Op()(device_.a, device_.b); }

 private:
  typename Fold<T, Op>::Device device_;
};

// Is there for sums alone.
template <class T, std::same_as<Sum> Op>
class FoldsSums : public Folds<T, Op> {
 public:
  using Folds<T, Op>::Folds;
};

template <class T>
class Picks {
 public:
  explicit Picks(const typename Pick<T>::Device& device) : device_(device) {}
  void restore(Stream) { device_.a += 1; }
  void operator()(Stream) { *device_.out = device_.a; }

 private:
  typename Pick<T>::Device device_;
};

// Returns its answer, as a library may, and leaves none in device memory.
template <class T>
class Returns {
 public:
  explicit Returns(const typename Pick<T>::Device& device) : device_(device) {}
  void to_host(Stream, T* out) { *out = device_.a; }
  std::uint64_t sm_cycles() { return 7; }

 private:
  typename Pick<T>::Device device_;
};

// Has its own way to the host.
template <class T>
class DoesBoth : public Picks<T> {
 public:
  using Picks<T>::Picks;
  void to_host(Stream, T* out) { *out = 9; }
};

// Leaves its answer where it is told to. Of 0 it leaves none.
template <class T>
class GoesAnywhere {
 public:
  explicit GoesAnywhere(const typename Pick<T>::Device& device) : value_(device.a) {}
  void operator()(Stream, T* out) {
    if (value_ != 0) *out = value_;
  }

 private:
  T value_;
};

const Register<Pick, GoesAnywhere, std::int64_t> goes_anywhere{{.idea = "goes anywhere"}};
const Register<Pick, Returns, double> returns{{.idea = "returns"}};
const Register<Pick, DoesBoth, std::int32_t> does_both{{.idea = "does both"}};
const Register<Fold, Folds, double, std::int32_t> folds{{.idea = "folds"}};
const Register<Fold, FoldsSums, std::int64_t> folds_sums{{.idea = "folds sums"}};
const Register<Pick, Picks, float> picks{{.idea = "picks", .notes = "N1"}};

const Implementation& picking(std::string_view dtype) {
  for (const Implementation& i : implementations())
    if (i.operation == "pick" && i.dtype == dtype) return i;
  throw std::out_of_range("no such type");
}

Implementation fake(std::string_view path, std::string_view operation, std::string_view op,
                    std::string_view dtype) {
  return {path, operation, op, dtype, {.idea = "A fake."}, nullptr};
}

std::string refusal(std::vector<Implementation> registered) {
  try {
    in_order(std::move(registered));
  } catch (const std::logic_error& problem) {
    return problem.what();
  }
  return "none";
}

}  // namespace

TEST_CASE(
    "a rung is registered for every element type and operator that it takes, under the path of its "
    "file") {
  std::vector<std::string> found;
  for (const Implementation& i : implementations())
    found.push_back(std::string(i.path) + " " + std::string(i.operation) + " " + std::string(i.op) +
                    " " + std::string(i.dtype));
  CHECK(found ==
        std::vector<std::string>{
            "tests/unit/registry_test fold max f64", "tests/unit/registry_test fold max i32",
            "tests/unit/registry_test fold sum f64", "tests/unit/registry_test fold sum i32",
            "tests/unit/registry_test fold sum i64", "tests/unit/registry_test pick  f32",
            "tests/unit/registry_test pick  f64", "tests/unit/registry_test pick  i32",
            "tests/unit/registry_test pick  i64"});
}

TEST_CASE(
    "the path of a rung is that of its file below handwritten or vendor, without what the file is "
    "for") {
  CHECK(path_of_file("/home/me/ladder/handwritten/reduce/interleaved.cu") ==
        "handwritten/reduce/interleaved");
  CHECK(path_of_file("/home/me.too/vendor/scan/cub.sm90.cu") == "vendor/scan/cub");
  CHECK(path_of_file("vendor/dot/std_serial.cpp") == "vendor/dot/std_serial");
  CHECK(path_of_file("/dot/x.cu") == "/dot/x");
  CHECK(path_of_file("x") == "x");
}

TEST_CASE("a rung that chooses among others finds them by path, operation, operator and type") {
  std::int32_t largest = 0;
  const auto prepared =
      prepare_rung<Fold<std::int32_t, Max>>("tests/unit/registry_test", {3, 4, &largest});
  prepared->run({});
  CHECK(largest == 4);
  const auto misses = [](std::string_view path, std::string_view operation, std::string_view op,
                         std::string_view dtype) {
    CHECK_THROWS_WITH(
        implementation_of(path, operation, op, dtype),
        fmt::format("no {} is registered for {} {} of {}", path, operation, op, dtype));
  };
  misses("tests/unit/no_test", "fold", "max", "i32");
  misses("tests/unit/registry_test", "reduce", "max", "i32");
  misses("tests/unit/registry_test", "fold", "max", "i64");
  misses("tests/unit/registry_test", "fold", "sum", "u8");
  misses("tests/unit/registry_test", "pick", "height", "f64");
}

TEST_CASE("a registered rung runs on the arguments it was prepared with") {
  const Implementation& max_i32 = implementations().at(1);
  CHECK(max_i32.card.idea == "folds");
  std::int32_t largest = 0;
  const Fold<std::int32_t, Max>::Device arguments{3, 4, &largest};
  const auto prepared = max_i32.prepare(&arguments);
  prepared->restore({});  // has none: nothing happens
  prepared->run({});
  CHECK(largest == 4);

  float picked = 0;
  const Pick<float>::Device one{1, &picked};
  const auto restoring = picking("f32").prepare(&one);
  restoring->restore({});
  restoring->run({});
  CHECK(picked == 2);
}

TEST_CASE("a rung that can only return its answer has no device_result") {
  const Implementation& returns_only = picking("f64");
  CHECK_FALSE(returns_only.enqueues);
  CHECK_FALSE(returns_only.offers(Contract::device_result));
  CHECK(returns_only.offers(Contract::host_result));
  double in_memory = 0, on_host = 0;
  const Pick<double>::Device one{5, &in_memory};
  const auto prepared = returns_only.prepare(&one);
  CHECK_THROWS_AS(prepared->run({}), std::logic_error);
  prepared->run_to_host({}, &on_host);
  CHECK(on_host == 5);
  CHECK(in_memory == 0);
}

TEST_CASE("a rung that only leaves its answer in device memory is run and copied for host_result") {
  const Implementation& leaves = picking("f32");
  CHECK(leaves.enqueues);
  CHECK((leaves.offers(Contract::device_result) && leaves.offers(Contract::host_result)));
  float in_memory = 0, on_host = 0;
  const Pick<float>::Device one{5, &in_memory};
  leaves.prepare(&one)->run_to_host({}, &on_host);
  CHECK(in_memory == 5);
  CHECK(on_host == 5);
}

TEST_CASE("a rung with a way to the host of its own takes it") {
  const Implementation& both = picking("i32");
  CHECK(both.enqueues);
  std::int32_t in_memory = 0, on_host = 0;
  const Pick<std::int32_t>::Device one{5, &in_memory};
  const auto prepared = both.prepare(&one);
  prepared->run_to_host({}, &on_host);
  CHECK(on_host == 9);
  CHECK(in_memory == 0);
  prepared->run({});
  CHECK(in_memory == 5);
}

TEST_CASE(
    "a rung that takes where its answer goes leaves it in device memory, or in the host's with no "
    "copy of it in device memory") {
  const Implementation& anywhere = picking("i64");
  CHECK((anywhere.offers(Contract::device_result) && anywhere.offers(Contract::host_result)));
  std::int64_t in_memory = 0, on_host = 3;
  const Pick<std::int64_t>::Device one{5, &in_memory}, none{0, &in_memory};
  anywhere.prepare(&none)->run_to_host({}, &on_host);
  CHECK(on_host == 3);  // it wrote nothing
  const auto prepared = anywhere.prepare(&one);
  prepared->run_to_host({}, &on_host);
  CHECK(on_host == 5);
  CHECK(in_memory == 0);
  prepared->run({});
  CHECK(in_memory == 5);
}

TEST_CASE("clock cycles come from a rung that takes them, and from no other") {
  const Pick<double>::Device counting{5, nullptr};
  const Pick<float>::Device plain{5, nullptr};
  CHECK(picking("f64").prepare(&counting)->sm_cycles() == 7U);
  CHECK(!picking("f32").prepare(&plain)->sm_cycles());
}

TEST_CASE("implementations come in one order, however they registered") {
  std::vector<Implementation> all{fake("b", "scan", "", "i32"), fake("a", "reduce", "sum", "i64"),
                                  fake("a", "reduce", "max", "i64"),
                                  fake("a", "reduce", "sum", "f32"),
                                  fake("a", "dot", "sum", "i64")};
  std::vector<std::string> order;
  for (const Implementation& i : in_order(all))
    order.push_back(std::string(i.path) + std::string(i.operation) + std::string(i.op) +
                    std::string(i.dtype));
  CHECK(order == std::vector<std::string>{"adotsumi64", "areducemaxi64", "areducesumf32",
                                          "areducesumi64", "bscani32"});
}

TEST_CASE("the same registered twice is refused by name") {
  const Implementation once = fake("handwritten/reduce/twice", "reduce", "sum", "i32");
  CHECK(refusal({once, fake("handwritten/reduce/twice", "reduce", "sum", "i64")}) == "none");
  CHECK(refusal({once, fake("handwritten/reduce/twice", "reduce", "max", "i32")}) == "none");
  CHECK(refusal({once, fake("handwritten/reduce/twice", "scan", "sum", "i32")}) == "none");
  CHECK(refusal({once, fake("handwritten/reduce/other", "reduce", "sum", "i32")}) == "none");

  const std::string message =
      refusal({once, fake("handwritten/reduce/other", "reduce", "sum", "i32"), once});
  CHECK(message.starts_with("handwritten/reduce/twice is registered twice for reduce sum of i32"));
}

TEST_CASE(
    "two files that have one name in an operation are refused by their paths, in whatever folders "
    "they are") {
  const Implementation of_one = fake("handwritten/reduce/gather", "reduce", "sum", "i32");
  CHECK(refusal({of_one, fake("handwritten/team/gather", "reduce", "max", "f64")}) ==
        "handwritten/reduce/gather and handwritten/team/gather have one name in reduce: give one "
        "of the files another one");
  CHECK(refusal({of_one, fake("handwritten/team/gather", "dot", "sum", "i32")}) == "none");
  // of a library of that name
  CHECK(refusal({of_one, fake("vendor/reduce/gather", "reduce", "sum", "i32")}) == "none");
}

TEST_CASE("provider and rung are read off the path") {
  CHECK(provider_of("handwritten/reduce/unrolling2") == "handwritten");
  CHECK(rung_of("handwritten/reduce/unrolling2") == "unrolling2");
  CHECK(provider_of("handwritten/reduce/neighbored_less") == "handwritten");
  CHECK(provider_of("vendor/reduce/thrust_host") == "thrust");
  CHECK(rung_of("vendor/reduce/thrust_host") == "thrust_host");
  CHECK(provider_of("vendor/reduce/cub") == "cub");
}

TEST_CASE("a step up from a rung that is not there is refused by name") {
  const auto on = [](std::string_view path, std::string_view operation, std::string_view below) {
    return Implementation{path,   operation, "sum", "i32", {.idea = "An idea.", .follows = below},
                          nullptr};
  };
  CHECK(refusal({on("handwritten/reduce/a", "reduce", ""),
                 on("handwritten/reduce/b", "reduce", "a")}) == "none");
  CHECK(refusal({on("handwritten/reduce/b", "reduce", "a")}) ==
        "handwritten/reduce/b: its Card follows a, which is no rung of reduce");
  CHECK(refusal({on("handwritten/scan/a", "scan", ""), on("handwritten/reduce/b", "reduce", "a")})
            .starts_with("handwritten/reduce/b: "));
}

TEST_CASE("a card without what a report shows is refused by name") {
  const auto with = [](const Card& card) {
    return refusal({{"handwritten/reduce/careless", "reduce", "sum", "i32", card, nullptr}});
  };
  CHECK(with({.idea = "An idea."}) == "none");
  CHECK(with({}).starts_with("handwritten/reduce/careless: its Card has no idea"));
  CHECK(with({.idea = "An idea\nin two lines."}).find("line break") != std::string::npos);
  for (const auto text :
       {&Card::follows, &Card::step, &Card::costs, &Card::limited_by, &Card::repaired,
        &Card::to_know, &Card::notes, &Card::source, &Card::needs, &Card::max_reason}) {
    Card card{.idea = "An idea."};
    card.*text = "Some\ttext.";
    CHECK(with(card).find("control character") != std::string::npos);
  }
  CHECK(with({.idea = "An idea.", .max_elements = 5}).find("max_reason") != std::string::npos);
  CHECK(with({.idea = "An idea.", .max_elements = 0, .max_reason = "none"}).find("no element") !=
        std::string::npos);
}
