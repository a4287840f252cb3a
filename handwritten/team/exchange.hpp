// Values that devices hand to each other while their kernels run.
#pragma once

#include "handwritten/words.hpp"

namespace ladder {

// What a device knows of the others. A value is sent with the number of its run: another one in
// each, and not 0. A word is written anew two runs later: by then whoever waits for the next run's
// value has read this one's.
template <class T>
struct Exchange {
  Peers<Word> mail;  // on each device: two places for each value of each sender
  unsigned devices, device;
  unsigned values = 1;  // that a device sends in a run

  __device__ Word* place(unsigned at, unsigned sender, unsigned number, unsigned run) const {
    const std::size_t of_sender = run % 2 * devices + sender;
    return mail.of[at] + (of_sender * values + number) * words<T>;
  }

  // Called by one thread of each device for each value: sends it, and waits for those with the same
  // number. All get the same bits.
  template <class Op>
  __device__ T combined(T value, unsigned run, unsigned number = 0) const {
    for (unsigned peer = 0; peer < devices; ++peer)
      if (peer != device) publish(place(peer, device, number, run), run, value);
    T all = Op::template identity<T>();
    for (unsigned sender = 0; sender < devices; ++sender)
      all = Op{}(all, sender == device
                          ? value
                          : wait_for<T>(place(device, sender, number, run), run));
    return all;
  }
};

}  // namespace ladder
