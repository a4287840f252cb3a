// What CMake writes from the files of handwritten/ and vendor/ (plan/source_texts.cmake).
#pragma once

#include <span>
#include <string_view>

namespace ladder {

struct SourceText {
  std::string_view path, text;
};

std::span<const SourceText> source_texts();

}  // namespace ladder
