// Is this result set sound, whoever it is from? What its own numbers must say of each other, and
// what no machine can have measured.
//
// A number that follows from others of the file must agree with them to 2e-5: it has six
// significant digits, and the last may differ between compilers by one. All other rules are orders
// that cannot be otherwise.
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
