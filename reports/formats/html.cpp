// report.html: one file that a browser opens without a network.
#include "reports/formats/html/page.hpp"
#include "reports/formats/report.hpp"

namespace ladder::reports {

Files html(const Report& report) {
  return {{"report.html", page(report)}};
}

}  // namespace ladder::reports
