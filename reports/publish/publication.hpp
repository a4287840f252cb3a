// What a checkout publishes in reports/published/: which sets may be there, and what of its files
// and of other pages is made from them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/file/compression.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

// of the folder of a machine: a clone is light
inline constexpr std::uintmax_t most_published_bytes = 10'000'000;

// Why this set cannot be published, in words for a list. Empty: it can.
std::vector<std::string> unpublishable(const Results& results);

class Publication {
 public:
  explicit Publication(fs::path repository);

  bool empty() const { return sets_.empty(); }
  fs::path folder() const;
  std::vector<std::string> faults() const;  // one sentence each

  // The text of every file that is made from the sets.
  std::map<fs::path, std::string> made() const;
  // from this one alone
  std::map<fs::path, std::string> made_of(const fs::path& set, const Results& results) const;
  // the list of the sets ..
  fs::path index() const;
  // .. and its text, when these files are there too
  std::string list(const std::map<fs::path, std::string>& made = {}) const;

 private:
  // Each set is read once: a full study takes seconds. Throws BadFile.
  const Results& results_of(const fs::path& set) const;

  fs::path repository_;
  std::vector<fs::path> sets_;
  mutable std::map<fs::path, Results> read_;
};

}  // namespace ladder::reports
