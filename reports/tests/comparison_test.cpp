// Two sets, row by row: what is compared, what decides, and what is said.
#include "reports/numbers/compare_sets.hpp"

#include <cmath>

#include "compare/tests/catch.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/terminal/comparison_text.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/tests/sample.hpp"
#include "reports/text/wrap.hpp"

using namespace ladder::reports;

namespace {

Results set(std::vector<Cell> cells) {
  Results r = of_gpu();
  r.cells = std::move(cells);
  r.run.id = content_id(r);
  return r;
}

Cell gpu(double us, const char* rung = "one") {
  return gpu_cell("handwritten", rung, us);
}

// On the logarithms, of the quotient of two times that are each known within 1 %, of six processes.
const double half_width = ladder::statistics::student_t_975(10) /
                          ladder::statistics::student_t_975(5) * std::sqrt(2.0) * std::log(1.01);

Cell with_ratio(Cell cell, double value) {
  timing_of(cell).ratios.vs_fastest_library =
      Ratio{value, value * 0.99, value * 1.01, Difference::faster};
  return cell;
}

const Pair& only_pair(const Comparison& all) {
  REQUIRE(all.pairs.size() == 1);
  return all.pairs[0];
}

// Why the times of these two rows are not compared; empty: they are.
std::string why_not(const Cell& a, const Cell& b) {
  const auto all = comparison(set({a}), set({b}));
  CHECK(only_pair(all).why_not.empty() == only_pair(all).time_us.has_value());
  return only_pair(all).why_not;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("B's ratio to A is that of the middles of both intervals, unpaired") {
  const auto all = comparison(set({gpu(100)}), set({gpu(80)}));
  const Ratio& r = only_pair(all).time_us->ratio;
  CHECK(only_pair(all).time_us->a == 100);
  CHECK(only_pair(all).time_us->b == 80);
  CHECK(r.value == Approx(1.25));
  CHECK(r.ci95_low * r.ci95_high == Approx(1.25 * 1.25));
  CHECK(r.ci95_low == Approx(1.25 * std::exp(-half_width)));
  CHECK(r.verdict == Difference::faster);
  const auto back = comparison(set({gpu(80)}), set({gpu(100)}));
  CHECK(only_pair(back).time_us->ratio.verdict == Difference::slower);
  CHECK(only_pair(back).time_us->ratio.value == Approx(0.8));
}

TEST_CASE("a difference is shown only where the interval leaves out 1") {
  const auto verdict = [](const Cell& a, double us) {
    const auto all = comparison(set({a}), set({gpu(us)}));
    return only_pair(all).time_us->ratio.verdict;
  };
  const double edge = 100 * std::exp(half_width);
  CHECK(verdict(gpu(100), 100) == Difference::none_shown);
  CHECK(verdict(gpu(100), edge - 0.01) == Difference::none_shown);
  CHECK(verdict(gpu(100), edge + 0.01) == Difference::slower);
  CHECK(verdict(gpu(100), 98.5) == Difference::faster);
  Cell unsure = gpu(100);
  timing_of(unsure).time_us.ci95_low = 70, timing_of(unsure).time_us.ci95_high = 140;
  CHECK(verdict(unsure, 130) == Difference::none_shown);
}

TEST_CASE("what cannot be compared says why") {
  const Cell skipped = without(gpu(1), Verdict::skipped, "it takes minutes"),
             crashed = without(gpu(1), Verdict::crashed, "signal 11");
  CHECK(why_not(gpu(1), gpu(1)).empty());
  CHECK(why_not(skipped, gpu(1)) == "skipped in A");
  CHECK(why_not(gpu(1), crashed) == "crashed in B");
  CHECK(why_not(skipped, skipped) == "skipped in both");
  CHECK(why_not(skipped, crashed) == "skipped in A, crashed in B");
  Cell once = gpu(1), timeless = gpu(1), odd = gpu(1), zero = gpu(1);
  timing_of(once).processes.resize(1), measured(timeless).timing.reset(),
      timing_of(odd).time_us.ci95_low = 2, timing_of(zero).time_us.ci95_low = 0;
  CHECK(why_not(once, gpu(1)) == "timed in one process only");
  CHECK(why_not(gpu(1), timeless) == "no time in B");
  CHECK(why_not(timeless, gpu(1)) == "no time in A");
  CHECK(why_not(gpu(1), odd) == "malformed interval");
  CHECK(why_not(zero, gpu(1)) == "malformed interval");
}

TEST_CASE("times of another machine are not compared, ratios against the fastest library are") {
  const Results a = set({with_ratio(gpu(100), 2)});
  Results b = set({with_ratio(gpu(10), 3)});
  CHECK(only_pair(comparison(a, b)).why_not.empty());
  b.machine.cpu = "Another CPU";
  CHECK(only_pair(comparison(a, b)).why_not.empty());  // the GPU alone does it
  b.machine.gpu->uuid = "GPU-2";
  CHECK(only_pair(comparison(a, b)).why_not.empty());  // another board of that model
  b.machine.gpu->name = "Another GPU";
  const auto all = comparison(a, b);
  CHECK(only_pair(all).why_not == "another GPU");
  CHECK(only_pair(all).vs_fastest_library->ratio.value == Approx(1.5));
  CHECK(only_pair(all).vs_fastest_library->ratio.verdict == Difference::faster);
  CHECK(only_pair(all).decisive() == &*only_pair(all).vs_fastest_library);
  CHECK_FALSE(any_slower(all));
  CHECK(any_slower(comparison(b, a)));
  const auto text = comparison_text({"A", a}, {"B", b}, all);
  CHECK(contains(text, "\ntimes: none were compared, because the GPUs differ\n"));
  CHECK(contains(text, "\nratios against the fastest library: 1 compared, "));

  Cell host = gpu(10);
  host.how.contract = Contract::host_result;
  Results c = set({host}), d = c;
  d.machine.cpu = "Another CPU";
  CHECK(only_pair(comparison(c, d)).why_not == "another CPU");
  CHECK(contains(comparison_text({"A", c}, {"B", d}, comparison(c, d)),
                 "\ntimes: none were compared, because the CPUs differ\n"));
  CHECK(contains(comparison_text({"A", a}, {"B", c}, comparison(a, c)),
                 "\ntimes: none were compared, because no row has one in both sets\n"));
}

TEST_CASE(
    "where times can be compared they decide: a library that became faster makes no rung slower") {
  const auto all = comparison(set({with_ratio(gpu(100), 2)}), set({with_ratio(gpu(100), 1)}));
  CHECK(only_pair(all).vs_fastest_library->ratio.verdict == Difference::slower);
  CHECK_FALSE(any_slower(all));
  CHECK(any_slower(comparison(set({gpu(100)}), set({gpu(120)}))));
}

TEST_CASE(
    "rows are told apart by all of their identity, and those with a time in one set only are "
    "counted") {
  Cell host_result = gpu(100), warm = gpu(100), larger = gpu(100);
  host_result.how.contract = Contract::host_result, warm.how.cache = Cache::warm,
  larger.input.n *= 2;
  const auto all = comparison(set({gpu(100), emulated_cell("serial")}),
                              set({host_result, warm, larger, emulated_cell("serial")}));
  CHECK(all.pairs.empty());
  CHECK(all.only_in_a == 1);
  CHECK(all.only_in_b == 3);

  const Cell skipped = without(gpu(100), Verdict::skipped, "one thread takes minutes");
  CHECK(comparison(set({skipped}), set({})).only_in_a == 0);
  CHECK(comparison(set({}), set({skipped})).only_in_b == 0);
}

TEST_CASE("two cards of one model are compared, and it is said that cards differ") {
  const Results a = set({gpu(100)});
  Results b = set({gpu(101)});
  CHECK_FALSE(comparison(a, b).two_cards);
  CHECK_FALSE(
      contains(comparison_text({"A", a}, {"B", b}, comparison(a, b), 9), "cards of one model"));
  b.machine.gpu->uuid = "GPU-another";
  const auto all = comparison(a, b);
  CHECK(all.two_cards);
  CHECK(only_pair(all).time_us);
  CHECK(contains(comparison_text({"A", a}, {"B", b}, all, 9),
                 "B on GPU-another: cards of one model also differ"));
  CHECK(comparison_json({"A", a}, {"B", b}, all).at("two_cards") == true);
  b.machine.gpu.reset();
  CHECK_FALSE(comparison(a, b).two_cards);
}

TEST_CASE(
    "the time of an empty kernel stands beside the comparison, since every time contains it") {
  Results a = set({gpu(100)}), b = set({gpu(101)});
  a.overheads = {{Backend::cuda, Contract::device_result, "an empty kernel", 2.31}};
  b.overheads = {{Backend::cuda, Contract::host_result, "an empty kernel", 9.9},
                 {Backend::cuda, Contract::device_result, "no kernel", 2.98},
                 {Backend::cuda, Contract::device_result, "an empty kernel", 4.45}};
  const auto all = comparison(a, b);
  CHECK(contains(comparison_text({"A", a}, {"B", b}, all, 9),
                 "an empty kernel takes 2.31 us in A, 4.45 us in B:"));
  CHECK(comparison_json({"A", a}, {"B", b}, all).at("empty_kernel_us").at("b") == 4.45);
  b.overheads.clear();
  CHECK_FALSE(contains(comparison_text({"A", a}, {"B", b}, all, 9), "an empty kernel"));
  CHECK(comparison_json({"A", a}, {"B", b}, all).at("empty_kernel_us").at("b").is_null());
}

TEST_CASE("the spread is of all rows compared: the middle, and nine of ten") {
  std::vector<Cell> before, after;
  for (int k = 0; k <= 100; ++k) {
    const std::string rung = "rung_" + std::to_string(k);
    before.push_back(gpu(100 + k, rung.c_str()));
    after.push_back(gpu(100, rung.c_str()));
  }
  const auto all = comparison(set(before), set(after));
  const auto found = spread(all, {&Pair::time_us});
  REQUIRE(found);
  CHECK(found->p5 == Approx(1.05));
  CHECK(found->median == Approx(1.50));
  CHECK(found->p95 == Approx(1.95));
  CHECK_FALSE(spread(all, {&Pair::vs_fastest_library}));
  const auto json = comparison_json({"A", {}}, {"B", {}}, all).at("spread");
  CHECK(json.at("times").at("median") == Approx(1.50));
  CHECK(json.at("ratios").is_null());
}

TEST_CASE(
    "what is said: counts with those that chance would give, then the largest differences first") {
  std::vector<Cell> cells_a, cells_b;
  for (int i = 0; i < 60; ++i) {
    const std::string rung = "r" + std::to_string(i);
    cells_a.push_back(gpu(100, rung.c_str()));
    cells_b.push_back(gpu(i == 7 ? 50 : i == 8 ? 300 : i == 9 ? 110 : 100, rung.c_str()));
  }
  const Results set_a = set(cells_a), set_b = set(cells_b);
  const NamedSet a{"a\x1b.json", set_a}, b{"b.json", set_b};
  const auto all = comparison(set_a, set_b);
  CHECK(tally(all, {&Pair::time_us}).compared() == 60);
  CHECK(tally(all, {&Pair::time_us}).by_chance() == Approx(3));
  const auto found = differences(all, {&Pair::time_us});
  REQUIRE(found.size() == 3);
  CHECK(found[0]->key.who.rung == "r8");
  CHECK(found[1]->key.who.rung == "r7");
  CHECK(found[2]->key.who.rung == "r9");

  const auto text = comparison_text(a, b, all, 2);
  CHECK(contains(text,
                 "times: 60 compared, 1 faster, 2 slower, 57 no difference shown; chance alone\n  "
                 "would show about 3 differences\n"));
  CHECK(contains(text, "slower 0.333x (0.329 to 0.337)\n"));
  CHECK(contains(text, "and 1 more, all of them with --json\n"));
  CHECK_FALSE(contains(text, "r9"));
  CHECK_FALSE(contains(text, "\x1b"));
  CHECK(contains(comparison_text(a, b, all), "r9"));

  const auto json = comparison_json(a, b, all);
  CHECK(json["times"]["slower"] == 2);
  CHECK(json["times"]["differences_by_chance"] == Approx(3));
  CHECK(json["rows"].size() == 60);
  CHECK(json["rows"][7]["time_us"]["ratio"]["verdict"] == "faster");
  CHECK(json["rows"][7]["who"]["rung"] == "r7");
  CHECK(json["rows"][0]["why_not"].is_null());
  CHECK(json["a"]["run"] == set_a.run.id);
}

TEST_CASE("where a set has both contracts, each is counted apart") {
  const auto until_host = [](double us) {
    Cell cell = gpu(us);
    cell.how.contract = Contract::host_result;
    return cell;
  };
  const Results set_a = set({gpu(100), until_host(200)}), set_b = set({gpu(100), until_host(300)});
  const auto text = comparison_text({"a", set_a}, {"b", set_b}, comparison(set_a, set_b));
  CHECK(contains(text, "\ntimes, until the result is in the GPU's memory: 1 compared, 0 faster, "));
  CHECK(
      contains(text, "\ntimes, until the host holds the result: 1 compared, 0 faster, 1 slower, "));
  CHECK(contains(text, "\ntimes of B against A, until the host holds the result: median 0.6667x"));
  CHECK(contains(text, "\n  (host_result: until the host holds the result)\n"));
  CHECK(contains(text, "\nratios against the fastest library: none were compared"));
  const auto json =
      comparison_json({"a", set_a}, {"b", set_b}, comparison(set_a, set_b)).at("contracts");
  CHECK(json["host_result"]["times"]["slower"] == 1);
  CHECK(json["device_result"]["times"]["compared"] == 1);
  CHECK(json["device_result"]["ratios"]["compared"] == 0);
}

TEST_CASE(
    "a comparison is not wider than a terminal, and what is longer goes on below its column") {
  const Results before = example();
  Results after = before;
  for (Cell& c : after.cells)
    if (Measured* measured = c.outcome.measured(); measured != nullptr && measured->timing)
      for (ProcessMedian& process : measured->timing->processes) process.time_us *= 2;
  derive(after);
  std::istringstream in(comparison_text({"A", before}, {"B", after}, comparison(before, after)));
  std::size_t widest = 0;
  for (std::string line; std::getline(in, line);) widest = std::max(widest, line.size());
  CHECK(widest > 60);
  CHECK(widest <= 80);

  const std::string ten = "ten words ", path(100, 'x');
  CHECK(wrapped("  name  " + ten + ten + ten + ten + ten + ten + ten + "and\n") ==
        "  name  ten words ten words ten words ten words ten words ten words ten words\n        "
        "and\n");
  CHECK(wrapped("see " + path + " and go\n\n  short\nno end") ==
        "see\n  " + path + "\n  and go\n\n  short\nno end");
  CHECK(wrapped(std::string(80, 'x') + "\n") == std::string(80, 'x') + "\n");
  CHECK(wrapped("") == "");
}

TEST_CASE("where far more differences lie one way than the other, the whole run has shifted") {
  const auto is_shift = [](std::size_t faster, std::size_t slower) {
    return Tally{faster, slower, 1000}.is_shift();
  };
  CHECK(is_shift(111, 14));
  CHECK(is_shift(14, 111));
  CHECK_FALSE(is_shift(65, 60));
  CHECK_FALSE(is_shift(0, 0));
  CHECK_FALSE(is_shift(7, 0));  // a fair coin does so in 1.6 % of the cases
  CHECK(is_shift(8, 0));        // in 0.8 %

  const auto said = [](int slower) {
    std::vector<Cell> before, after;
    for (int i = 0; i < 20; ++i) {
      const std::string rung = "r" + std::to_string(i);
      before.push_back(gpu(100, rung.c_str())), after.push_back(gpu(i < slower ? 110
                                                                    : i < 10   ? 90
                                                                               : 100,
                                                                    rung.c_str()));
    }
    const Results a = set(before), b = set(after);
    const auto all = comparison(a, b);
    CHECK(comparison_json({"A", a}, {"B", b}, all).at("times").at("shift") ==
          tally(all, {&Pair::time_us}).is_shift());
    return comparison_text({"A", a}, {"B", b}, all);
  };
  const char* const shifted =
      "times: 10 of 10 differences have the same direction: the whole run has shifted;\n  chance "
      "does not explain this\n";
  CHECK(contains(said(10), shifted));
  CHECK(contains(said(0), shifted));
  CHECK_FALSE(contains(said(5), "the whole run has shifted"));
}
