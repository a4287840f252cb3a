#include "reports/report.hpp"

#include "reports/markdown.hpp"
#include "reports/page.hpp"

namespace ladder::reports {

Files report_files(const Results& results, const std::vector<Results>& published, const Soundness& soundness) {
  return {{"report.html", page(results, published, soundness)}, {"report.md", markdown(results, published, soundness)}};
}

}  // namespace ladder::reports
