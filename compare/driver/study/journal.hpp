// The journal of a run: a line of JSON for all that happens, on disk as it happens, so that
// whatever ends the run early costs only what was in flight.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compare/driver/terminal/places.hpp"
#include "reports/model/fields.hpp"

namespace ladder {

class Journal {
 public:
  enum class Mode { fresh, resume, restart };

  // The first line says which run it is. A fresh journal takes the place of a finished run's; of an
  // unfinished one's only to restart. A resumed one must belong to the same run, or be missing.
  // Throws UsageError where another driver is at work, the journal is none of these, or the folder
  // cannot take it.
  Journal(const fs::path& folder, const json& run, Mode mode);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Throws UsageError where a fresh journal would be refused in this folder.
  static void require_none_unfinished(const fs::path& folder);

  static bool has_finished_run(const fs::path& folder);  // its set lies there too

  // the first line: of a resumed journal as it was begun
  const json& run() const { return run_; }
  // the lines of a resumed journal after its first, each an object
  const std::vector<std::string_view>& earlier() const { return earlier_; }
  // Throws std::system_error.
  void append(const json& line);
  // false: somebody has removed it
  bool is_there() const;
  // what to type where that line makes no sense
  std::string way_on_from(std::size_t line) const;

 private:
  explicit Journal(const fs::path& folder);  // the file alone, as it is
  void require_begun_by_us(std::string_view text) const;
  void refuse_unfinished(const fs::path& folder) const;
  void read_back(const json& run);

  fs::path file_;
  json run_;
  int descriptor_ = -1;
  std::string text_;  // of a resumed journal
  std::vector<std::string_view> earlier_;
};

}  // namespace ladder
