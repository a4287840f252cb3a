// A temporary folder for the life of the object.
#pragma once

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/places.hpp"

namespace ladder {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    fs::path where = environment_variable("TMPDIR");
    if (where.empty()) where = "/tmp";
    std::string name = where / "ladder-XXXXXX";
    if (mkdtemp(name.data()) == nullptr)
      throw UsageError("cannot make a temporary folder in {}: {}; set TMPDIR to another one",
                       where.string(), std::strerror(errno));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

}  // namespace ladder
