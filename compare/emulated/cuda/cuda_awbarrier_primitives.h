// Barriers by CUDA's C names (CUDA Programming Guide, "Memory Barrier Primitives Interface").
#pragma once

#include "compare/emulated/calls/asynchronous.hpp"

using __mbarrier_t = ladder::emulated::Barrier;
using __mbarrier_token_t = unsigned;

inline void __mbarrier_init(__mbarrier_t* barrier, unsigned expected,
                            ladder::emulated::Here where = ladder::emulated::Here::current()) {
  ladder::emulated::initialise(barrier, expected, where);
}
inline void __mbarrier_inval(__mbarrier_t*) {}
inline __mbarrier_token_t __mbarrier_arrive(
    __mbarrier_t* barrier, ladder::emulated::Here where = ladder::emulated::Here::current()) {
  return ladder::emulated::arrive(barrier, 1, 0, where);
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(
    __mbarrier_t* barrier, ladder::emulated::Here where = ladder::emulated::Here::current()) {
  return ladder::emulated::arrive(barrier, 1, 1, where);
}
inline bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                 ladder::emulated::Here where = ladder::emulated::Here::current()) {
  return ladder::emulated::is_over(barrier, token, where);
}
