// The counters in the hardware that a backend runs on: what worker/count.cpp reads.
#pragma once

#include <functional>
#include <string>

#include "reports/model.hpp"

namespace ladder::counters {

std::string unavailable();  // why they cannot be read, in one sentence; empty where they can

// Those of one run, which is done when it returns. Not all can be read at once, so there are several, each after a `prepare` that is not counted.
reports::Counters read(const std::function<void()>& prepare, const std::function<void()>& run);

}  // namespace ladder::counters
