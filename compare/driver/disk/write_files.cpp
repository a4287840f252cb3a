#include "compare/driver/disk/write_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <regex>
#include <system_error>
#include <utility>

#include "compare/driver/terminal/errors.hpp"

namespace ladder {
namespace {

[[noreturn]] void cannot_write(const fs::path& file) {
  throw std::system_error(errno, std::generic_category(), "cannot write " + file.string());
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

void require(fs::file_type type, const char* what, const fs::path& path) {
  std::error_code unknown;  // opening it will tell
  const fs::file_type found = fs::symlink_status(path, unknown).type();
  if (found != type && found != fs::file_type::not_found && !unknown)
    throw UsageError("{} exists and is not a {}; move it away, or choose another folder with --out",
                     path.string(), what);
}

// Drafts of this file that a killed program left: <name>.<digits>-<digits>.part. A program that is
// still at work on one has locked it.
void remove_left_drafts(const fs::path& target) {
  const std::string begin = target.filename().string() + '.';
  const std::regex end("[0-9]+-[0-9]+\\.part");
  std::error_code error;
  for (fs::directory_iterator at(folder_of(target), error);
       !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(begin) || !std::regex_match(name.substr(begin.size()), end)) continue;
    const int descriptor = open(at->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status {};
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      unlink(at->path().c_str());
    if (descriptor >= 0) close(descriptor);
  }
}

// False where another program has just taken the draft for one that was left. A file system without
// locks counts as locked.
bool is_locked(int draft) {
  struct stat status {};
  if (flock(draft, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  return fstat(draft, &status) != 0 || status.st_nlink > 0;
}

}  // namespace

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return;
  std::error_code unknown;
  const bool leads_nowhere = fs::is_symlink(folder, unknown) && !fs::exists(folder, unknown);
  throw UsageError(
      "cannot make the folder {}: {}; choose another with --out", folder.string(),
      leads_nowhere ? "it is a link to a folder that does not exist" : error.message());
}

void require_regular_file(const fs::path& file) {
  require(fs::file_type::regular, "regular file", file);
}

void require_folder(const fs::path& folder) {
  require(fs::file_type::directory, "folder", folder);
}

void write_all(int descriptor, std::string_view text, const fs::path& file) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno != EINTR) cannot_write(file);
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void sync(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(fsync(descriptor));
  close(descriptor);
}

Draft::Draft(const fs::path& target) : target_(target) {
  require_regular_file(target);
  remove_left_drafts(target);
  for (unsigned i = 0; descriptor_ < 0; ++i) {  // the first name that nobody has
    path_ = fmt::format("{}.{}-{}.part", target.string(), getpid(), i);
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) cannot_write(target);
    if (descriptor_ < 0 || is_locked(descriptor_)) continue;
    unlink(path_.c_str());
    close(std::exchange(descriptor_, -1));
  }
}

Draft::Draft(const fs::path& target, std::string_view text) : Draft(target) {
  write_all(descriptor_, text, target_);
  if (fsync(descriptor_) != 0) cannot_write(target_);
}

Draft::~Draft() {
  close(descriptor_);
  if (!path_.empty()) unlink(path_.c_str());
}

void Draft::keep() {
  if (std::rename(path_.c_str(), target_.c_str()) != 0) cannot_write(target_);
  path_.clear();
}

void write_file(const fs::path& file, std::string_view text) {
  try {
    Draft(file, text).keep();
  } catch (const std::system_error& problem) {
    throw UsageError("{}; choose another folder with --out", problem.what());
  }
  sync(folder_of(file));
}

}  // namespace ladder
