// Values that devices hand to each other while their kernels run.
#pragma once

#include <numeric>
#include <vector>

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
      all = Op{}(all,
                 sender == device ? value : wait_for<T>(place(device, sender, number, run), run));
    return all;
  }
};

// Words on every device, in which the blocks of all devices leave values for each other. In each
// run a block has a place of its own on every device, and there are two sets of places: a device
// must wait for a value of every device in each run, so that none is two runs ahead of another.
template <class T>
struct Board {
  Peers<Word> words_of;
  unsigned devices, device;
  unsigned places, first;  // in all; the first of this device
  unsigned* runs;          // of which this is one, from 1

  __device__ unsigned run() const { return *static_cast<volatile unsigned*>(runs); }
  // By one thread of the device, once all its blocks have left a value, and so have read it.
  __device__ void end(unsigned run) const { *static_cast<volatile unsigned*>(runs) = run + 1; }

  __device__ Word* place(unsigned at, unsigned run, unsigned number) const {
    return words_of.of[at] + (std::size_t{run % 2} * places + number) * words<T>;
  }
};

template <class T>
class Boards {
 public:
  // `blocks`: of each device. After their places there are so many `more`.
  Boards(const Team& team, const std::vector<unsigned>& blocks, unsigned more = 0)
      : first_(blocks.size()),
        places_(std::accumulate(blocks.begin(), blocks.end(), more)),
        words_(team, std::size_t{2} * places_ * words<T>),
        runs_(team, 1) {
    std::exclusive_scan(blocks.begin(), blocks.end(), first_.begin(), 0U);
    const unsigned first_run = 1;
    team.each([&](unsigned device, Stream) {
      backend::upload(runs_.of(device), &first_run, sizeof first_run);
    });
  }

  Board<T> of(unsigned device) const {
    return {words_.peers(),  static_cast<unsigned>(first_.size()), device, places_, first_[device],
            runs_.of(device)};
  }

 private:
  std::vector<unsigned> first_;
  unsigned places_;
  TeamArray<Word> words_;
  TeamArray<unsigned> runs_;
};

}  // namespace ladder
