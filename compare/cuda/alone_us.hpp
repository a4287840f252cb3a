// The clock of the cuda backend, for what is no implementation.
#pragma once

#include <functional>

namespace ladder::clock {

// GPU time of what `enqueue` puts into stream(), microseconds.
double alone_us(const std::function<void()>& enqueue);

}  // namespace ladder::clock
