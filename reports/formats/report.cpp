#include "reports/formats/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ladder::reports {

Report::Report(const Results& its, const std::vector<Results>& others, const Soundness& soundness)
    : results(its),
      set(its),
      published(others.begin(), others.end()),
      cautions(reports::cautions(its, soundness)) {}

const std::vector<FlatRow>& Report::rows() const {
  if (rows_.empty()) rows_ = flat(set);
  return rows_;
}

const Format& format_of(std::string_view name) {
  const auto found = std::ranges::find(formats(), name, &Format::name);
  if (found == formats().end()) throw std::logic_error(fmt::format("there is no format {}", name));
  return *found;
}

std::string text_of(std::string_view format, const Report& report) {
  const Files files = format_of(format).files(report);
  return files.empty() ? "" : files.begin()->second;
}

Files report_files(const Report& report) {
  Files files = format_of("html").files(report);
  files.merge(format_of("markdown").files(report));
  return files;
}

}  // namespace ladder::reports
