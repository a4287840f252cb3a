// What can be run here: the listings of all worker programs, side by side.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/driver/plan/sources.hpp"
#include "compare/driver/terminal/places.hpp"
#include "compare/protocol.hpp"

namespace ladder {

// One backend, whether it runs here or not.
struct Backend {
  reports::Backend name = reports::Backend::host;
  fs::path program;
  // why it does not run here, in words; empty where it does
  std::string unavailable;
  std::vector<protocol::Listing> implementations;  // in ladder order
  // files that its compiler refuses, and what it says of each
  std::vector<std::pair<std::string, std::string>> left_out;
  std::vector<std::string> not_built;          // these files, and those that need what is not here
  std::vector<reports::Operation> operations;  // as they declare themselves
  // of each, by operator and element type
  std::vector<protocol::OperationListing> kinds;
  json machine, software;  // its reply to "describe"
  // those it times, the usual one first; none: it counts and does not time
  std::vector<reports::Contract> contracts;
  bool has_limit = false;  // it measures the limit of an input
  unsigned devices = 1;    // that can work together

  bool runs() const { return unavailable.empty(); }
  // Throws std::invalid_argument where the backend does not declare it.
  const reports::Operation& operation(std::string_view name) const;
};

struct Catalogue {
  // every one there is, those that do not run here too
  std::vector<Backend> backends;
  // from elsewhere, which the worker programs have too: the listing of each says that it is of them
  std::optional<reports::Kernels> kernels = {};
  SourceTexts sources = {};  // of its rungs

  const Backend& backend(reports::Backend name) const;
  std::vector<reports::Operation> operations() const;  // by place
  // Each implementation once, with all the backends that run it here; in ladder order.
  std::vector<protocol::Listing> implementations() const;
};

// The folder of the worker programs: that of this program, unless LADDER_WORKERS names another.
// kernels: a folder of kernels from elsewhere; the programs with them are in kernels/ below. Throws
// UsageError where they were not built with that folder.
fs::path workers_folder(const fs::path& kernels = {});

// How much a worker tells of its backend. The machine takes seconds where it has a GPU; without it
// every backend seems to run here.
enum class Tells { all, list };

// Asks every worker program of the folder. Throws UsageError where there is none at all, or one
// that is broken.
Catalogue read_catalogue(const fs::path& folder, Tells tells = Tells::all);

// Throws UsageError, with the number of GPUs that there are, where no GPU can be used. device: the
// user's choice, as in CUDA_VISIBLE_DEVICES; empty: none.
void require_gpu(const Catalogue& catalogue, const std::string& device);

}  // namespace ladder
