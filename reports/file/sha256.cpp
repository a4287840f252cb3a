#include "reports/file/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <stdexcept>

namespace ladder::reports {

std::array<unsigned char, 32> sha256_digest(std::string_view bytes) {
  std::array<unsigned char, 32> digest;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL has no SHA-256");
  return digest;
}

std::string sha256(std::string_view bytes) {
  return fmt::format("sha256:{:02x}", fmt::join(sha256_digest(bytes), ""));
}

}  // namespace ladder::reports
