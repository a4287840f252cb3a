// report.html: one file that a browser opens without a network.
#include "reports/formats/html/page.hpp"
#include "reports/formats/report.hpp"

namespace ladder::reports {

Format html() {
  return {"html", true, [](const Report& report) { return Files{{"report.html", page(report)}}; }};
}

}  // namespace ladder::reports
