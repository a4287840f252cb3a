// Where a kernel is that has said nothing for long: what it touches would tell, but it may touch
// nothing.
#pragma once

#include <functional>
#include <string>

namespace ladder::emulated {

// As long as it lives, SIGURG asks, which programs that do not know it ignore. `tell` is called in
// between two instructions of a kernel; not at all where none runs for a while.
class Whereabouts {
 public:
  // "f_kernel<int> in a.cu:7, block 0, thread 3"
  using Tell = std::function<void(const std::string& where)>;

  explicit Whereabouts(Tell tell);
  Whereabouts(const Whereabouts&) = delete;
  ~Whereabouts();
};

}  // namespace ladder::emulated
