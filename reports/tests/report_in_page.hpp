// What report.html has in it, as its script unpacks it.
#pragma once

#include <openssl/evp.h>
#include <zlib.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ladder::reports {

// gzip in base64, in the element of this id
inline nlohmann::json unpacked_in(std::string_view page, const std::string& id) {
  const std::string begin = "id=\"" + id + "\">";
  page.remove_prefix(page.find(begin) + begin.size());
  page = page.substr(0, page.find("</script>"));
  std::string bytes(page.size(), '\0'), text(64u << 20, '\0');
  EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                  reinterpret_cast<const unsigned char*>(page.data()),
                  static_cast<int>(page.size()));
  constexpr int with_gzip_header = 16 + MAX_WBITS;
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  const bool is_gzip = inflateInit2(&stream, with_gzip_header) == Z_OK;
  const bool is_whole = is_gzip && inflate(&stream, Z_FINISH) == Z_STREAM_END;
  inflateEnd(&stream);
  if (!is_whole) throw std::runtime_error("the page has no " + id);
  text.resize(stream.total_out);
  return nlohmann::json::parse(text);
}

inline nlohmann::json report_in(std::string_view page) {
  return unpacked_in(page, "report");
}

}  // namespace ladder::reports
