// Name and version of a library of CCCL, as its headers say. A file is compiled with the toolkit's
// CCCL, and once more with a newer one.
#pragma once

#include <string_view>

#include "compare/register.hpp"

// With the newer one, the ending of the names: "_3_5".
#ifndef LADDER_RELEASE
#define LADDER_RELEASE ""
#endif

namespace ladder {

// 300500 is 3.5.0.
consteval Library cccl(std::string_view name, int version) {
#ifdef LADDER_CCCL_VERSION
  if (version != LADDER_CCCL_VERSION) throw "the compiler found the headers of another CCCL first";
#endif
  return {name, version / 100000, version / 100 % 1000, version % 100, LADDER_RELEASE};
}

}  // namespace ladder
