#include "reports/file/gzip.hpp"

#include <zlib.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <new>

namespace ladder::reports {

std::string read_packed(const fs::path& file, std::size_t limit) {
  // a pipe would never end
  if (const auto status = fs::status(file); !fs::is_regular_file(status))
    throw Unreadable(fs::exists(status) ? "it is not a regular file"
                                        : "it is a link to a file that is not there");
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
  if (in == nullptr) throw Unreadable("it cannot be read; check its permissions");
  std::string all, piece(1u << 20, '\0');
  while (true) {
    const int n = gzread(in.get(), piece.data(), static_cast<unsigned>(piece.size()));
    int error = Z_OK;
    gzerror(in.get(), &error);
    if (error == Z_MEM_ERROR) throw std::bad_alloc();
    if (n < 0 || (n == 0 && error != Z_OK)) throw Unreadable("it is damaged or cut off");
    if (n == 0) return all;
    all.append(piece, 0, static_cast<std::size_t>(n));
    if (all.size() > limit)
      throw TooLarge("it holds more than {} MiB, which no file of a study does", limit >> 20);
  }
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string packed(const std::string& text) {
  z_stream stream{};
  constexpr int with_gzip_header = 16 + MAX_WBITS, best = 9, memory = 8;
  if (deflateInit2(&stream, best, Z_DEFLATED, with_gzip_header, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace ladder::reports
