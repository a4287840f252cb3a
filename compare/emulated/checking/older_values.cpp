#include "compare/emulated/checking/older_values.hpp"

#include <algorithm>
#include <utility>

namespace ladder::emulated {

void OlderValues::overwritten(std::uintptr_t address, std::size_t size, std::uint64_t value,
                              Message carried, const Seen& by) {
  Word& word = words_.try_emplace(address, Word(size)).first->second;
  if (word.size != size) {
    words_.erase(address);
    return;
  }
  if (word.versions.size() == most_versions) word.versions.erase(word.versions.begin());
  word.versions.push_back({word.stores++, value, std::move(carried), by});
}

void OlderValues::forget(std::uintptr_t address, std::size_t size) {
  if (words_.empty()) return;
  for (std::uintptr_t word = (address & ~std::uintptr_t{7}); word < address + size; word += 4)
    words_.erase(word);
}

const OlderValues::Version* OlderValues::choose(std::uintptr_t address, std::size_t size,
                                                const Order& order, unsigned thread,
                                                std::mt19937_64& random) const {
  if (words_.empty()) return nullptr;
  const auto at = words_.find(address);
  if (at == words_.end() || at->second.size != size || at->second.crowded) return nullptr;
  const Word& word = at->second;
  std::uint64_t oldest = 0;
  for (const Observer& observer : word.observers)
    if (observer.number > oldest && order.ordered(observer.epoch, thread)) oldest = observer.number;
  std::size_t allowed = 0;  // the last so many
  for (auto version = word.versions.rbegin(); version != word.versions.rend(); ++version, ++allowed)
    if (version->number < oldest || order.ordered(version->overwritten_by.epoch, thread)) break;
  if (allowed == 0 || random() % 2 == 0) return nullptr;
  return &word.versions[word.versions.size() - 1 - random() % allowed];
}

void OlderValues::found(std::uintptr_t address, const Epoch& by, const Version* version) {
  if (words_.empty()) return;
  const auto at = words_.find(address);
  if (at == words_.end() || at->second.crowded) return;
  Word& word = at->second;
  const Observer now{by, version == nullptr ? word.stores : version->number};
  const auto same_thread = [&](const Observer& o) {
    return o.epoch.block == by.block && o.epoch.thread == by.thread;
  };
  if (const auto known = std::ranges::find_if(word.observers, same_thread);
      known != word.observers.end()) {
    // The earlier of two that found the same: more is ordered after it.
    if (known->number != now.number) *known = now;
  } else if (word.observers.size() == most_observers) {
    word.crowded = true;
    word.observers.clear();
  } else {
    word.observers.push_back(now);
  }
}

}  // namespace ladder::emulated
