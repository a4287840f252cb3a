#include "reports/file/compression.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <new>

namespace ladder::reports {
namespace {

// bytes that bzip2 may add to a text that does not shrink
constexpr std::size_t most_added = 1u << 20;

void require(bool is_smaller, std::size_t limit) {
  if (!is_smaller)
    throw TooLarge("it holds more than {} MiB, which no file of a study does", limit >> 20);
}

std::string unpacked(std::string& bytes, std::size_t limit) {
  constexpr int quiet = 0, fast = 0;
  bz_stream stream{};
  if (BZ2_bzDecompressInit(&stream, quiet, fast) != BZ_OK) throw std::bad_alloc();
  const std::unique_ptr<bz_stream, int (*)(bz_stream*)> end(&stream, BZ2_bzDecompressEnd);
  std::string all, piece(1u << 20, '\0');
  stream.next_in = bytes.data();
  stream.avail_in = static_cast<unsigned>(bytes.size());
  while (true) {
    stream.next_out = piece.data();
    stream.avail_out = static_cast<unsigned>(piece.size());
    const int status = BZ2_bzDecompress(&stream);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    const std::size_t n = piece.size() - stream.avail_out;
    const bool ends = status == BZ_STREAM_END && stream.avail_in == 0;
    if (!ends && (status != BZ_OK || n == 0)) throw Unreadable("it is damaged or cut off");
    all.append(piece, 0, n);
    require(all.size() <= limit, limit);
    if (ends) return all;
  }
}

}  // namespace

std::string read_packed(const fs::path& file, std::size_t limit) {
  // a pipe would never end
  if (const auto status = fs::status(file); !fs::is_regular_file(status))
    throw Unreadable(fs::exists(status) ? "it is not a regular file"
                                        : "it is a link to a file that is not there");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Unreadable("it cannot be read; check its permissions");
  const auto size = fs::file_size(file);
  require(size <= limit + most_added, limit);
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  if (bytes.starts_with("BZh")) return unpacked(bytes, limit);
  require(bytes.size() <= limit, limit);
  return bytes;
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string packed(const std::string& text) {
  constexpr int blocks_of_900_kB = 9, quiet = 0, usual_work = 0;
  // the most that it can take, by bzip2's manual
  std::string out(text.size() + text.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(out.size());
  if (BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()),
                               static_cast<unsigned>(text.size()), blocks_of_900_kB, quiet,
                               usual_work) != BZ_OK)
    throw std::bad_alloc();
  out.resize(size);
  return out;
}

std::string packed_for_browsers(const std::string& text) {
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
