// Files that the driver reads and writes. In a folder where others may write too, somebody may lay
// a symbolic link or a pipe under any name: so nothing is opened under a name that can already be
// there, but for the journal, which looks at what it has opened.
#pragma once

#include <string_view>

#include "compare/driver/terminal/places.hpp"
#include "reports/file/compression.hpp"

namespace ladder {

using reports::read_text;

void make_folder(const fs::path& folder);  // that --out names; throws UsageError

// Throw UsageError where something else has this name. Nothing at all is right too.
void require_regular_file(const fs::path& file);
void require_folder(const fs::path& folder);

// Throws std::system_error that names the file.
void write_all(int descriptor, std::string_view text, const fs::path& file);

// A file or a folder, until a crash of the whole machine cannot take it back. A file system that
// cannot do this is let pass.
void sync(const fs::path& path);

// Text that lies whole on the disk, in the folder of its file, under a name of its own; gone again
// unless it is put in place.
class Draft {
 public:
  // throws UsageError or std::system_error
  Draft(const fs::path& target, std::string_view text);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  // Gives it the name of its file, in place of what had it. Throws std::system_error.
  void keep();

 private:
  explicit Draft(const fs::path& target);

  fs::path target_, path_;
  int descriptor_ = -1;
};

void write_file(const fs::path& file, std::string_view text);  // throws UsageError

}  // namespace ladder
