// How a paper names the software, a result set, and a number of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/model/model.hpp"
#include "reports/numbers/chosen_cells.hpp"
#include "reports/soundness/soundness.hpp"

namespace ladder::reports {

// A fact of CITATION.cff, which is baked in: the text behind "<name>:" at the beginning of a line,
// or of an entry of a list. Throws std::logic_error.
std::string citation_fact(std::string_view name);

// Plain text.
std::string device_in_words(const Results& results);  // the GPU, or the CPU where none was used
std::string until_in_words(const How& how);           // "until the result is in the GPU's memory"

std::string bibtex(const Run& run);  // the entry of the result set

// The cell that the choice leaves, if it is one and has a time: its number is cited.
std::optional<Cell> cited_cell(const Results& results, const Choice& choice);

// BibTeX entries of the software and of the result set; a sentence on how it was measured; and
// where the choice leaves one cell, a sentence with its time. BibTeX takes no notice of what stands
// between entries, so all of it is a .bib file. for_latex: the sentences as LaTeX takes them.
std::string citation(const Results& results, const Choice& choice = {},
                     const Soundness& soundness = {}, bool for_latex = false);

}  // namespace ladder::reports
