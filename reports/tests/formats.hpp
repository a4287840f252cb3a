// The formats as tests ask for them: of results, and what stands beside them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reports/formats/report.hpp"

namespace ladder::reports {

inline std::unique_ptr<Report> chosen(const Results& results, const Choice& choice,
                                      const Soundness& soundness = {}) {
  auto report = std::make_unique<Report>(results, std::vector<Results>(), soundness);
  report->choice = choice;
  return report;
}

inline Files markdown_files(const Report& report) {
  return format_of("markdown").files(report);
}

inline std::string summary_text(const Report& report) {
  return text_of("summary", report);
}

inline std::string csv(const Results& results, const Choice& choice = {}) {
  return text_of("csv", *chosen(results, choice));
}

inline std::string latex_table(const Results& results, const Choice& choice = {},
                               const Soundness& soundness = {}) {
  return text_of("latex_table", *chosen(results, choice, soundness));
}

inline std::string short_markdown(const Results& results, const Choice& choice = {},
                                  const Soundness& soundness = {}) {
  return text_of("markdown_table", *chosen(results, choice, soundness));
}

inline std::string citation(const Results& results, const Choice& choice = {},
                            const Soundness& soundness = {}, bool for_latex = false) {
  return format_of("bibtex")
      .files(*chosen(results, choice, soundness))
      .at(for_latex ? "citation_for_latex.bib" : "citation.bib");
}

inline Files paper_figures(const Results& results, const Choice& choice = {},
                           std::optional<double> width_mm = {}) {
  Report report(results);
  report.choice = choice;
  report.figure_width_mm = width_mm;
  return format_of("figures").files(report);
}

}  // namespace ladder::reports
