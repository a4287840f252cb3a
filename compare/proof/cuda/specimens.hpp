// Kernels that go before the clock because it is known how long they take.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "compare/registry.hpp"

namespace ladder::proof {

class Specimen : public Prepared {
 public:
  void restore(Stream) override {}
  // returns when the run is over; there is nothing to copy
  void run_to_host(Stream stream, void*) override;
  // of the last run, which is over: by the kernel itself
  virtual std::optional<double> own_us() { return {}; }
};

// kind, amount: as in SeriesRequest. Throws std::invalid_argument for another kind.
std::unique_ptr<Specimen> make_specimen(const std::string& kind, double amount);

}  // namespace ladder::proof
