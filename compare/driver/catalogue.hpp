// What can be run here: the listings of all worker programs, side by side.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "compare/protocol.hpp"

namespace ladder {

// One backend, whether it runs here or not.
struct Backend {
  std::string name;  // cuda, emulated or host
  std::filesystem::path program;
  std::string unavailable;                         // why it does not run here, in words; empty where it does
  std::vector<protocol::Listing> implementations;  // in ladder order
  std::vector<reports::Operation> operations;      // as they declare themselves
  std::vector<protocol::OperationListing> kinds;   // of each, by operator and element type
  nlohmann::json machine, software;                // its reply to "describe"
  std::vector<std::string> contracts;              // those it times, the usual one first; none: it counts and does not time
};

struct Catalogue {
  std::vector<Backend> backends;  // every one there is, those that do not run here too

  const Backend& backend(std::string_view name) const;
  // Each implementation once, with all the backends that run it here; in ladder order.
  std::vector<protocol::Listing> implementations() const;
};

// Where the worker programs are: beside this program, unless LADDER_WORKERS names another folder.
std::filesystem::path workers_folder();

// Asks every worker program of the folder. Throws UsageError where there is none at all, or one that is broken.
Catalogue read_catalogue(const std::filesystem::path& folder);

// By operation; in each the hand-written rungs first, every one after the one it follows, then the libraries by name.
void sort_as_ladder(std::vector<protocol::Listing>& implementations);

}  // namespace ladder
