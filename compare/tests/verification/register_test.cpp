#include "compare/tests/verification/register_test.hpp"

#include <memory>
#include <utility>

#include "compare/tests/catch.hpp"

namespace ladder::tests {
namespace {

class Invoker final : public Catch::ITestInvoker {
 public:
  explicit Invoker(std::function<void()> test) : test_(std::move(test)) {}
  void invoke() const override { test_(); }

 private:
  std::function<void()> test_;
};

// Version 2 of Catch2 takes a plain pointer, version 3 a pointer class of its own.
template <class Pointer>
void hand_over(Pointer invoker, const std::string& name, const std::string& tags) {
  const Catch::SourceLineInfo here(__FILE__, __LINE__);
  if constexpr (std::is_constructible_v<Catch::AutoReg, Pointer, Catch::SourceLineInfo, Catch::StringRef, Catch::NameAndTags>)
    Catch::AutoReg(invoker, here, {}, {name, tags});
  else Catch::AutoReg(Catch::Detail::unique_ptr<Catch::ITestInvoker>(invoker), here, {}, {name, tags});
}

}  // namespace

void register_test(const std::string& name, const std::string& tags, std::function<void()> test) {
  hand_over<Catch::ITestInvoker*>(new Invoker(std::move(test)), name, tags);
}

}  // namespace ladder::tests
