// What the files of mistakes share.
#pragma once

#include <functional>
#include <stdexcept>
#include <vector>

#include "compare/tests/device_memory.hpp"
#include "compare/tests/seeded/mistakes.hpp"

namespace ladder::seeded {

using Run = std::function<void()>;

inline void expect(bool is_right) {
  if (!is_right) throw std::runtime_error("the answer is wrong");
}

// A kernel of an input and an output of `count` elements.
inline Run launched(void (*kernel)(const int*, int*), LaunchShape shape, std::size_t count = 1024) {
  return [=] {
    const auto in = uploaded(counted<int>(count)), out = uploaded(std::vector<int>(count));
    launch(kernel, shape, {}, in.data(), out.data());
    backend::synchronize({});
  };
}

void add_mistakes_of_groups(std::vector<Mistake>& mistakes);
void add_mistakes_of_copies(std::vector<Mistake>& mistakes);
void add_mistakes_of_clusters(std::vector<Mistake>& mistakes);
void add_mistakes_in_two_dimensions(std::vector<Mistake>& mistakes);
void add_mistakes_of_collectives(std::vector<Mistake>& mistakes);
void add_mistakes_of_devices(std::vector<Mistake>& mistakes);

}  // namespace ladder::seeded
