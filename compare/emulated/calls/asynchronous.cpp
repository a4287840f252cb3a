#include "compare/emulated/calls/asynchronous.hpp"

#include <fmt/format.h>

#include "compare/emulated/calls/runtime.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/watching/monitor.hpp"

namespace ladder::emulated {

namespace {

// In a kernel; hooks are silent meanwhile.
template <class Work>
auto in_runtime(const Work& work) {
  const InRuntime runtime;
  return work(monitor.copies);
}

}  // namespace

void initialise(Barrier* barrier, unsigned arrivals, Here where) {
  begin_atomic(barrier);
  in_runtime([&](Copies& copies) { copies.initialise(barrier, arrivals, where); });
  after_atomic(barrier, true);
}

unsigned arrive(Barrier* barrier, unsigned count, unsigned dropped, Here where, Strength strength) {
  begin_atomic(barrier);
  const unsigned parity = in_runtime(
      [&](Copies& copies) { return copies.arrive(barrier, count, dropped, where, strength); });
  after_atomic(barrier, true);
  return parity;
}

void expect_bytes(Barrier* barrier, std::size_t bytes, Here where) {
  begin_atomic(barrier);
  in_runtime([&](Copies& copies) { copies.expect_bytes(barrier, bytes, where); });
  after_atomic(barrier, true);
}

bool is_over(Barrier* barrier, unsigned parity, Here where, Strength strength) {
  scheduler.looks(where);
  begin_atomic(barrier);
  const bool over =
      in_runtime([&](Copies& copies) { return copies.is_over(barrier, parity, where, strength); });
  after_atomic(barrier, over);
  return over;
}

void arrive_after_copies(Barrier* barrier, bool counted, Here where) {
  begin_atomic(barrier);
  in_runtime([&](Copies& copies) { copies.arrive_after_copies(barrier, counted, where); });
  after_atomic(barrier, true);
}

void copy_onto_barrier(Mover mover, const Transfer& transfer, Barrier* barrier, Here where) {
  begin_atomic(transfer.to);
  in_runtime([&](Copies& copies) { copies.copy_onto_barrier(mover, transfer, barrier, where); });
}

void copy_in_group(Mover mover, const Transfer& transfer, Here where) {
  begin_atomic(transfer.to);
  in_runtime([&](Copies& copies) { copies.copy_in_group(mover, transfer, where); });
}

void end_group(Mover mover) {
  in_runtime([&](Copies& copies) { copies.end_group(mover); });
}

void wait_for_groups(Mover mover, unsigned but_last, bool only_read) {
  pass_time();
  in_runtime([&](Copies& copies) { copies.wait_for_groups(mover, but_last, only_read); });
}

void fence_for_copies() {
  pass_time();
  in_runtime([](Copies&) {
    if (monitor.checker.active()) monitor.checker.fence_for_copies(scheduler.current);
  });
}

unsigned blocks_of_cluster() {
  return scheduler.grid().cluster;
}

void expect_cluster(unsigned blocks, Here where) {
  if (blocks == blocks_of_cluster()) return;
  scheduler.stop({.kind = FaultKind::asynchronous,
                  .thread = scheduler.current,
                  .place = where,
                  .text = fmt::format("is of a kernel for clusters of {}, launched in clusters of "
                                      "{}. Say LaunchShape::cluster in the launch.",
                                      blocks, blocks_of_cluster())});
}

unsigned rank_in_cluster() {
  return scheduler.block_in(monitor.slot()) % blocks_of_cluster();
}

void arrive_at_cluster(bool hands_on) {
  pass_time();
  in_runtime([&](Copies& copies) { copies.arrive_at_cluster(scheduler.cluster(), hands_on); });
}

void wait_for_cluster(bool learns, Here where) {
  scheduler.looks(where);
  const auto is_over = [&](Copies& copies) {
    return copies.cluster_is_over(scheduler.cluster(), learns);
  };
  while (!in_runtime(is_over)) {
    after_atomic(monitor.copies.barrier_of(scheduler.cluster()), false);
    scheduler.meet_blocks();
  }
}

void* shared_of_rank(const void* pointer, unsigned rank, Here where) {
  return in_runtime([&](Copies&) { return monitor.shared_of_rank(pointer, rank, where); });
}

unsigned rank_of_shared(const void* pointer) {
  return in_runtime([&](Copies&) {
    return scheduler.block_in(monitor.slot_of_shared(pointer)) % blocks_of_cluster();
  });
}

}  // namespace ladder::emulated
