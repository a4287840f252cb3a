#include "reports/formats/report.hpp"

#include "reports/formats/html/page.hpp"
#include "reports/formats/markdown/report_md.hpp"

namespace ladder::reports {

Files report_files(const Results& results, const std::vector<Results>& published,
                   const Soundness& soundness, const Pictures& pictures) {
  Files files = markdown_files(results, published, soundness, pictures);
  files["report.html"] = page(results, published, soundness);
  return files;
}

}  // namespace ladder::reports
