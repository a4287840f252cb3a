#include "compare/driver/study/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "reports/file/schema.hpp"
#include "reports/file/strict_json.hpp"
#include "reports/text/escape.hpp"

namespace ladder {
namespace {

constexpr std::size_t journal_limit = 512u << 20;  // six times a full study: it is held in memory

std::string reason() {
  return std::generic_category().message(errno);
}

std::string read_all(int descriptor, const fs::path& file) {
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (true) {
    const ssize_t n = ::read(descriptor, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw UsageError("{} cannot be read: {}", file.string(), reason());
    if (n == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
    if (text.size() > journal_limit)
      throw UsageError(
          "{} holds more than {} MiB, which no study does; move it away, or choose "
          "another folder with --out",
          file.string(), journal_limit >> 20);
  }
}

void cut(int descriptor, std::size_t size, const fs::path& file) {
  if (ftruncate(descriptor, static_cast<off_t>(size)) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot write to " + file.string());
}

// Null where it is not sound JSON.
json parsed_line(std::string_view line) {
  try {
    return reports::strict_json(line);
  } catch (const reports::BadJson&) {
    return {};
  }
}

// Whether it has the fields that the first line of a run has.
bool fits(const json& line, const json& run) {
  return std::ranges::all_of(run.items(),
                             [&](const auto& field) {
                               return line.value(field.key(), json()).type() ==
                                      field.value().type();
                             }) &&
         (!line.contains("date") ||
          reports::part_violation(line["date"], "/definitions/run/properties/date",
                                  json::json_pointer("/date"))
              .empty());
}

// Whether the last of these lines is that of a finished run.
bool is_finished(std::string_view lines) {
  const auto last = parsed_line(lines.substr(lines.substr(0, lines.size() - 1).rfind('\n') + 1));
  return last.is_object() && last.value("event", json()) == "written" &&
         last.value("finished", json()) == true;
}

}  // namespace

// It stays what it is while others read it, so it cannot be a fresh file. What is opened must be a
// file that has this name alone: nothing is cut or written that somebody has elsewhere. A pipe is
// not waited for.
Journal::Journal(const fs::path& folder) : file_(folder / "journal.jsonl") {
  make_folder(folder);
  require_regular_file(file_);
  descriptor_ =
      open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw UsageError("cannot write to {}: {}; choose another folder with --out", folder.string(),
                     reason());
  struct stat status {};
  std::string refusal;
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1)
    refusal = fmt::format(
        "{} is not a regular file with one name; move it away, or choose another folder with --out",
        file_.string());
  else if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
    refusal = fmt::format(
        "another ladder is running in {}; wait for it, or choose another folder with --out",
        folder.string());
  if (refusal.empty()) return;
  close(descriptor_);
  throw UsageError(refusal);
}

// What it throws closes the file: the object is there since the other constructor has ended.
Journal::Journal(const fs::path& folder, const json& run, Mode mode) : Journal(folder) {
  run_ = run;
  try {
    if (mode == Mode::resume) {
      read_back(run);
    } else {
      if (mode == Mode::fresh) refuse_unfinished(folder);
      cut(descriptor_, 0, file_);
    }
    if (lseek(descriptor_, 0, SEEK_END) == 0) append(run);
  } catch (const std::system_error& problem) {
    throw UsageError("{}; make room, or choose another folder with --out", problem.what());
  }
}

void Journal::require_none_unfinished(const fs::path& folder) {
  if (std::error_code none; fs::exists(folder / "journal.jsonl", none))
    Journal(folder).refuse_unfinished(folder);
}

bool Journal::has_finished_run(const fs::path& folder) {
  if (std::error_code none; !fs::exists(folder / "journal.jsonl", none)) return false;
  const Journal journal(folder);
  return is_finished(read_all(journal.descriptor_, journal.file_));
}

Journal::~Journal() {
  close(descriptor_);
}

// Throws UsageError unless a text without an event, torn or not, begins as the first line of a
// journal does, whose keys are in order.
void Journal::require_begun_by_us(std::string_view text) const {
  constexpr std::string_view begin = R"({"command":)";
  if (!begin.starts_with(text) && !text.starts_with(begin))
    throw UsageError("{} is not the journal of a run; move it away, or drop it with --restart",
                     file_.string());
}

// Nothing is lost with a journal that has no more than its first line, or that ends with the line
// of a finished run.
void Journal::refuse_unfinished(const fs::path& folder) const {
  const std::string text = read_all(descriptor_, file_);
  const std::string_view whole(text.data(), text.rfind('\n') + 1);  // npos + 1 is 0
  const std::size_t first = whole.find('\n') + 1;
  if (first == whole.size()) return require_begun_by_us(text);
  if (is_finished(whole)) return;
  const auto begun = parsed_line(whole.substr(0, first));
  const auto* command = begun.is_object() && begun.contains("command")
                            ? begun["command"].get_ptr<const std::string*>()
                            : nullptr;
  throw UsageError(
      "{} holds an unfinished run; {} --resume continues it, --restart drops it and begins again",
      folder.string(), command == nullptr ? "its command with" : reports::one_line(*command));
}

// A last line without its end was cut off by whatever ended that run: it is dropped. Any other line
// that is no JSON is a damaged file.
void Journal::read_back(const json& run) {
  text_ = read_all(descriptor_, file_);
  const std::size_t whole = text_.rfind('\n') + 1;  // npos + 1 is 0
  if (whole == 0) require_begun_by_us(text_);
  std::size_t number = 0;
  for (std::size_t start = 0; start < whole;) {
    const std::size_t end = text_.find('\n', start);
    const std::string_view line(text_.data() + start, end - start);
    auto event = parsed_line(line);
    if (!event.is_object() || (number == 0 && !fits(event, run)))
      throw UsageError("{}: line {} is damaged; {}", file_.string(), number + 1,
                       way_on_from(number + 1));
    if (number > 0) earlier_.push_back(line);
    else if (event.value("identity", json()) != run.at("identity"))
      throw UsageError(
          "{} belongs to another run (other options, another seed or another build); "
          "give its options, or start afresh with --restart",
          file_.string());
    else run_ = std::move(event);
    ++number;
    start = end + 1;
  }
  cut(descriptor_, whole, file_);  // not before: what is refused stays as it is
}

bool Journal::is_there() const {
  struct stat status {};
  return fstat(descriptor_, &status) == 0 && status.st_nlink > 0;
}

// A journal can be cut anywhere after its first line.
std::string Journal::way_on_from(std::size_t line) const {
  const std::string again = "start afresh with --restart";
  return line == 1
             ? again
             : fmt::format("keep the lines before it with sed -i '{},$d' {} and --resume, or {}",
                           line, quoted(file_.string()), again);
}

// A command line and a worker's report of an error may hold bytes that are no UTF-8.
void Journal::append(const json& line) {
  write_all(descriptor_, line.dump(-1, ' ', false, json::error_handler_t::replace) + '\n', file_);
}

}  // namespace ladder
