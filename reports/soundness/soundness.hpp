// Is this result set sound, whoever it is from? What its own numbers must say of each other, and
// what no machine can have measured.
//
// A number that another number of the file follows from must agree with it to 1e-9: the file keeps
// every digit, so nothing but the last ones of a computation may differ between compilers. All
// other rules are orders that cannot be otherwise.
#pragma once

#include <functional>
#include <optional>

#include "reports/model/model.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/soundness/flaws.hpp"

namespace ladder::reports {

// Reads the samples of these results, where there are some that can be read; says what is wrong
// with them, and what became of them.
using SamplesReader =
    std::function<std::optional<Samples>(const Results& results, Soundness& found)>;

// document: of this version of the schema, as read_document() gives it. Where it breaks the schema,
// that is all that is said.
Soundness soundness(const json& document, const SamplesReader& read_samples = {});

// The part of it that is about the content.
Soundness soundness(const Results& results, const SamplesReader& read_samples = {});

}  // namespace ladder::reports
