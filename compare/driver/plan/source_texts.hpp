// What CMake writes from the files of handwritten/ and vendor/ (plan/source_texts.cmake).
#pragma once

#include <span>

#include "reports/text/embedded.hpp"

namespace ladder {

std::span<const reports::EmbeddedFile> source_texts();  // their names relative to the checkout

}  // namespace ladder
