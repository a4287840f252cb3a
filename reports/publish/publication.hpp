// What a checkout publishes in reports/published/: which sets may be there, and what of its files
// and of other pages is made from them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/file/compression.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

// of all sets together: a clone is light
inline constexpr std::uintmax_t most_published_bytes = 12'000'000;

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
  // README.md, the list of the sets, and where there are several machines sets.html and sets.md,
  // which show them side by side. made: files that will be there too.
  std::map<fs::path, std::string> of_all(const std::map<fs::path, std::string>& made = {}) const;

 private:
  // The sets of different machines: a further run of a machine lies in the folder of the first.
  std::vector<fs::path> machines() const;
  bool has_figure_of_all() const;
  std::string list(const std::map<fs::path, std::string>& made) const;
  // What this part of a page has to be, of this set.
  std::string wanted(const std::string& part, const fs::path& set) const;
  // Each set is read once: a full study takes seconds. Throws BadFile.
  const Results& results_of(const fs::path& set) const;

  fs::path repository_;
  std::vector<fs::path> sets_;
  mutable std::map<fs::path, Results> read_;
};

}  // namespace ladder::reports
