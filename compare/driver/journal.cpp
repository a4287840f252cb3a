#include "compare/driver/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include "compare/driver/errors.hpp"
#include "compare/driver/output.hpp"
#include "reports/strict_json.hpp"

namespace ladder {
namespace {

std::string reason() {
  return std::generic_category().message(errno);
}

std::string read_all(int descriptor, const std::filesystem::path& file) {
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (true) {
    const ssize_t n = ::read(descriptor, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw UsageError(fmt::format("{} cannot be read: {}", file.string(), reason()));
    if (n == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

Journal::Journal(const std::filesystem::path& folder, const nlohmann::json& run, Mode mode) : file_(folder / "journal.jsonl"), run_(run) {
  make_folder(folder);
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw UsageError(fmt::format("cannot write to {}: {}; choose another folder with --out", folder.string(), reason()));
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))  // a pipe has no end to read to
      throw UsageError(fmt::format("{} is not a regular file; choose another folder with --out", file_.string()));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
      throw UsageError(fmt::format("another ladder is at work in {}; wait for it, or choose another folder with --out", folder.string()));
    if (mode == Mode::resume) read_back(run);
    else if (ftruncate(descriptor_, 0) != 0) throw UsageError(fmt::format("cannot write to {}: {}", file_.string(), reason()));
    if (lseek(descriptor_, 0, SEEK_END) == 0) write(run.dump() + '\n');
  } catch (const std::system_error& problem) {
    close(descriptor_);
    throw UsageError(fmt::format("{}; make room, or choose another folder with --out", problem.what()));
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Journal::~Journal() {
  close(descriptor_);
}

// A last line without its end was cut off by whatever ended that run: it is dropped. Any other line that is no JSON is a damaged file.
void Journal::read_back(const nlohmann::json& run) {
  const std::string text = read_all(descriptor_, file_);
  const std::size_t whole = text.rfind('\n') + 1;  // npos + 1 is 0
  if (ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) throw UsageError(fmt::format("cannot write to {}: {}", file_.string(), reason()));

  std::size_t number = 0;
  for (std::size_t start = 0; start < whole;) {
    const std::size_t end = text.find('\n', start);
    nlohmann::json event;
    try {
      event = reports::strict_json(std::string_view(text).substr(start, end - start));
    } catch (const reports::BadJson&) {  // said below
    }
    if (!event.is_object()) throw UsageError(fmt::format("{}: line {} is damaged; start afresh without --resume", file_.string(), number + 1));
    if (number > 0) earlier_.push_back(event);
    else if (event.value("identity", nlohmann::json()) != run.at("identity"))
      throw UsageError(fmt::format(
          "{} is of another run (other options, another seed or another build); give its options, or start afresh without --resume", file_.string()));
    else run_ = std::move(event);
    ++number;
    start = end + 1;
  }
}

void Journal::append(const nlohmann::json& event) {
  // What a worker reports of an error may hold bytes that are no UTF-8.
  write(event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

void Journal::write(const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = ::write(descriptor_, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw std::system_error(errno, std::generic_category(), "cannot write " + file_.string());
    written += static_cast<std::size_t>(n);
  }
}

}  // namespace ladder
