// Work that does not depend on what else runs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "compare/system.hpp"

namespace ladder {

// server()(i) for i = 0 .. count - 1, begun in this order, on as many threads as there are cores.
// Each thread calls server() once, and destroys what it returned: a worker ends with the thread
// that started it. Where a call throws, no other is begun, and the first exception is thrown again.
template <class Server>
void on_all_cores(std::size_t count, const Server& server) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::exception_ptr failure;

  const auto serve = [&] {
    try {
      auto one = server();
      for (std::size_t i = next++; i < count && !stop; i = next++) one(i);
    } catch (...) {
      stop = true;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      while (threads.size() + 1 < std::min<std::size_t>(host::cores(), count))
        threads.emplace_back(serve);
    } catch (const std::system_error&) {  // no more than these may be had
    }
    serve();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ladder
