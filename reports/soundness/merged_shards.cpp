#include "reports/soundness/merged_shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "reports/model/json.hpp"

namespace ladder::reports {

json kind_of(const Machine& machine) {
  json kind = machine;
  kind.erase("memory_bytes");
  if (machine.gpu)
    for (const char* field : {"uuid", "pci_bus_id", "memory_bytes", "before", "after"})
      kind["gpu"].erase(field);
  if (!machine.further_gpus.empty())
    for (json& gpu : kind["further_gpus"]) gpu.erase("uuid"), gpu.erase("pci_bus_id");
  return kind;
}

Machine common_machine(const std::vector<MergedShard>& shards) {
  Machine machine = shards.at(0).machine;
  if (!machine.gpu) return machine;
  machine.gpu->before = machine.gpu->after = {};
  if (std::ranges::any_of(shards, [&](const MergedShard& one) {
        return !one.machine.gpu || one.machine.gpu->uuid != machine.gpu->uuid;
      }))
    machine.gpu->uuid = machine.gpu->pci_bus_id = "";
  const json further = machine.further_gpus;
  if (std::ranges::any_of(shards, [&](const MergedShard& one) {
        return json(one.machine.further_gpus) != further;
      }))
    for (FurtherGpu& gpu : machine.further_gpus) gpu.uuid = gpu.pci_bus_id = "";
  return machine;
}

void check_merged(const Results& results, Soundness& found) {
  if (results.merged.empty()) return;
  for (std::size_t s = 0; s < results.merged.size(); ++s)
    if (kind_of(results.merged[s].machine) != kind_of(results.merged[0].machine))
      found.error(fmt::format("/merged/{}/machine", s),
                  "it is of another kind than the machine of the first shard");
  if (json(results.machine) != json(common_machine(results.merged)))
    found.error("/machine", "it is not what the machines of the shards have in common");
  std::map<std::pair<Input, How>, unsigned> shards;
  for (const PlacedCell& cell : placed_cells(results))
    if (shards.emplace(std::pair(group_input(cell->input), cell->how), cell->shard).first->second !=
        cell->shard)
      found.error(place_of(cell),
                  "other rows of its group are in another shard, but ratios hold on one card only");
}

}  // namespace ladder::reports
