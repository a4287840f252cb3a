// Copies in groups of one thread, by CUDA's C names (CUDA Programming Guide, "Pipeline
// Primitives").
#pragma once

#include <cuda/barrier>

#include "compare/emulated/calls/asynchronous.hpp"

using __mbarrier_t = ladder::emulated::Barrier;

// The last `zeros` bytes are filled with 0.
inline void __pipeline_memcpy_async(
    void* to, const void* from, std::size_t size, std::size_t zeros = 0,
    ladder::emulated::Here where = ladder::emulated::Here::current()) {
  ladder::emulated::copy_in_group(ladder::emulated::Mover::threads, {to, from, size, zeros}, where);
}
inline void __pipeline_commit() {
  ladder::emulated::end_group(ladder::emulated::Mover::threads);
}
inline void __pipeline_wait_prior(unsigned but_last) {
  ladder::emulated::wait_for_groups(ladder::emulated::Mover::threads, but_last);
}
inline void __pipeline_arrive_on(__mbarrier_t* barrier,
                                 ladder::emulated::Here where = ladder::emulated::Here::current()) {
  ladder::emulated::arrive_after_copies(barrier, false, where);
}
