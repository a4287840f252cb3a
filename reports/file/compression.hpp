// Files that may be compressed, and what the page unpacks.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "reports/text/complaint.hpp"

namespace ladder {
namespace fs = std::filesystem;
}

namespace ladder::reports {

// The message is a sentence without the file's name.
struct Unreadable : Complaint {
  using Complaint::Complaint;
};

struct TooLarge : Unreadable {
  using Unreadable::Unreadable;
};

// The text of a regular file, unpacked where it is compressed with bzip2. Throws Unreadable, and
// TooLarge where there is more than `limit` of it: a few bytes can be made to unpack to anything.
std::string read_packed(const fs::path& file, std::size_t limit);

std::string read_text(const fs::path& file);  // "" where it cannot be read

// With bzip2. A full study takes three quarters of the bytes that gzip needs, in two seconds. The
// same bytes for the same text: no name and no time are in them.
std::string packed(const std::string& text);

// With gzip, which a browser unpacks.
std::string packed_for_browsers(const std::string& text);

}  // namespace ladder::reports
