#include "compare/tests/register_test.hpp"

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
#if __has_include(<catch2/catch_all.hpp>)
using Pointer = Catch::Detail::unique_ptr<Catch::ITestInvoker>;
#else
using Pointer = Catch::ITestInvoker*;
#endif

}  // namespace

void register_test(const std::string& name, const std::string& tags, std::function<void()> test) {
  Catch::AutoReg(Pointer(new Invoker(std::move(test))), Catch::SourceLineInfo(__FILE__, __LINE__),
                 {}, {name, tags});
}

}  // namespace ladder::tests
