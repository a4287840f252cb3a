// The specimens program: a SeriesRequest a line on standard input, {"series":[..]},
// {"untestable":"one sentence"} or {"error":"one sentence"} on standard output.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compare/backend.hpp"
#include "compare/operation.hpp"
#include "compare/proof/cuda/recorder.hpp"
#include "compare/proof/cuda/specimens.hpp"
#include "compare/proof/series.hpp"
#include "compare/worker/backend.hpp"
#include "compare/worker/run.hpp"

namespace {

using namespace ladder;
using proof::Series, proof::SeriesRequest, proof::Specimen;

constexpr unsigned warm_up_runs = 5;  // of each specimen

// The clock asks for one, and a run of device_result does not touch it.
std::unique_ptr<Problem> some_problem() {
  return find_kind("reduce", "sum", "i32")
      ->pose(
          {.operation = "reduce", .op = "sum", .dtype = "i32", .n = 1, .distribution = "uniform"});
}

class Measurement {
 public:
  explicit Measurement(const SeriesRequest& request)
      : request_(request), contract_(request.contract) {
    if (request.recorded) recorder_.emplace();
    problem_ = some_problem();
    for (const double amount : request.amounts) {
      specimens_.push_back(proof::make_specimen(request.specimen, amount));
      series_.push_back({amount, {}, {}});
    }
  }

  std::vector<Series> take() {
    for (const auto& specimen : specimens_)
      for (unsigned k = 0; k < warm_up_runs; ++k)
        run_to_its_end(*specimen, *problem_, contract_, clock::stream());
    std::vector<std::size_t> turns(specimens_.size());
    for (std::size_t i = 0; i < turns.size(); ++i) turns[i] = i;
    std::mt19937_64 random(1);
    for (unsigned sample = 0; sample < request_.samples; ++sample) {
      std::ranges::shuffle(turns, random);
      for (const std::size_t i : turns) time(i);
    }
    if (recorder_) add_records();
    return std::move(series_);
  }

 private:
  void time(std::size_t i) {
    clock::treat_cache(reports::Cache::warm, 0);
    constexpr std::chrono::seconds hold(10);
    const auto us = clock::time_us(*specimens_[i], *problem_, contract_, hold);
    if (!us) throw std::runtime_error("this machine took over 10 s to enqueue a kernel");
    series_[i].clock_us.push_back(*us);
    order_.push_back(i);
    if (recorder_) return;
    if (const auto own = specimens_[i]->own_us()) series_[i].other_us.push_back(*own);
  }

  void add_records() {
    const auto durations = recorder_->durations_us(request_.specimen + "_kernel");
    const std::size_t warm_ups = specimens_.size() * warm_up_runs;
    if (durations.size() != warm_ups + order_.size())
      throw proof::NoRecords(fmt::format("CUPTI has {} records of {} launches", durations.size(),
                                         warm_ups + order_.size()));
    for (std::size_t k = 0; k < order_.size(); ++k)
      series_[order_[k]].other_us.push_back(durations[warm_ups + k]);
  }

  const SeriesRequest& request_;
  Contract contract_;
  std::optional<proof::Recorder> recorder_;  // before anything that calls CUDA
  std::unique_ptr<Problem> problem_;
  std::vector<std::unique_ptr<Specimen>> specimens_;
  std::vector<Series> series_;
  std::vector<std::size_t> order_;  // of the timed runs
};

json answer(const std::string& line) {
  try {
    const auto request = json::parse(line).get<SeriesRequest>();
    return {{"series", Measurement(request).take()}};
  } catch (const proof::NoRecords& reason) {
    return {{"untestable", reason.what()}};
  } catch (const std::exception& problem) {
    return {{"error", problem.what()}};
  }
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answer(line).dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
}
