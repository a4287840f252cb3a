// What will be run: a list of comparison groups. All competitors for one input meet in one group,
// and are measured together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/plan/preset.hpp"
#include "compare/driver/plan/selection.hpp"

namespace ladder {

struct Group {
  reports::Backend backend = reports::Backend::host;
  ProblemSpec problem;
  std::optional<reports::Contract> contract;  // null where nothing is timed ..
  std::optional<reports::Cache> cache;        // .. as is this
  Effort effort = {};
  // by the hardware's counters, in one more process when all is timed
  bool counted = false;
  // that compete, in ladder order; over devices references on one device before them
  std::vector<protocol::Listing> rungs = {};
  struct Skipped {
    protocol::Listing rung;
    std::string reason;
  };
  std::vector<Skipped> skipped = {};  // that cannot take part
  double bytes = 0;                   // that an implementation has to read and write
  std::size_t number = 0;             // in the whole plan

  // What this rung is asked: over devices, its part of the problem; as a reference, all of it on
  // one device.
  ProblemSpec problem_of(const protocol::Listing& rung) const;
  bool timed() const { return contract.has_value(); }
  unsigned processes() const { return effort.processes + (counted ? 1 : 0); }
  bool counts_in(unsigned process) const { return counted && process == effort.processes; }
};

struct Plan {
  std::uint64_t seed = 1;
  // by backend, in the order in which they run; sorted as the study lists them
  std::vector<Group> groups;
  struct Share {
    reports::Shard shard;
    std::vector<reports::Backend> backends;  // of the whole plan
    unsigned devices = 0;                    // devices_of_a_process() of it
  };
  std::optional<Share> share = {};  // null: it is whole

  // The request for one group in one of its processes, for these of its rungs.
  protocol::MeasureRequest request(std::size_t group, unsigned process,
                                   std::vector<std::string> paths) const;
  bool uses(reports::Backend backend) const;  // a group is of it
  json identity() const;                      // equal for plans that measure the same
  unsigned devices_of_a_process() const;
};

// A group without rungs, of one process. Throws std::invalid_argument where the backend does not
// declare the operation.
Group new_group(const Backend& backend, const ProblemSpec& problem,
                std::optional<reports::Contract> contract, std::optional<reports::Cache> cache);

// Why this rung cannot take part in a group of this kind, in words; empty where it can.
std::string reason_to_skip(const protocol::OperationListing& kind, const Group& group,
                           const protocol::Listing& rung);

// Adds to each group whose backend measures it the limit of its input, which then competes.
void add_limits(const Catalogue& catalogue, Plan& plan);

// What the user chose replaces what the preset would. Throws UsageError where nothing is left to
// run.
Plan make_plan(const Selection& selection, const Catalogue& catalogue);

// One shard of so many, from 1. The groups are dealt out whole, so that all shards take about as
// long; some are empty where there are more shards than groups. What is asked of a group does not
// depend on its shard.
Plan shard_of(const Plan& whole, unsigned number, unsigned of);

// Estimates for an H200 with 16 cores: the seconds of a group in one of its processes, and the
// seconds for its input where the group before it has another input. Their proportions hold on
// other machines too.
double seconds_of_a_process(const Group& group);
double seconds_of_posing(const Group& group);

}  // namespace ladder
