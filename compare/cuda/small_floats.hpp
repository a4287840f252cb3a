// The conversions of floats of two bytes, of which a GPU has instructions (PTX ISA, "cvt"). In a
// file of its own: a precompiled header of the emulated backend must not mention __CUDA_ARCH__,
// which is defined after it.
#pragma once

namespace ladder {

template <class Format>
constexpr std::uint16_t rounded(float value) {
#ifdef __CUDA_ARCH__
  if (!std::is_constant_evaluated()) {
    std::uint16_t bits;
    if constexpr (std::is_same_v<Format, Binary16>) {
      asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
      return bits;
    } else if constexpr (__CUDA_ARCH__ >= 800) {
      asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
      return bits;
    }
  }
#endif
  return Format::from(value);
}

template <class Format>
constexpr float exact(std::uint16_t bits) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<Format, Binary16>) {
    if (!std::is_constant_evaluated()) {
      float value;
      asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
      return value;
    }
  }
#endif
  return Format::value(bits);
}

}  // namespace ladder
