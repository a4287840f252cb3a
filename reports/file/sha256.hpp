// SHA-256, as result sets name what they hold.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace ladder::reports {

// Of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  std::string text();  // "sha256:<hex>", once all are there

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string sha256(std::string_view bytes);

}  // namespace ladder::reports
