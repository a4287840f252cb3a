// SHA-256, as result sets name what they hold.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // of OpenSSL

namespace ladder::reports {

// The hash of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();

  void add(std::string_view bytes);
  std::string text();  // "sha256:<hex>", once all are there

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

std::string sha256(std::string_view bytes);

}  // namespace ladder::reports
