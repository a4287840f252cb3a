// What is held true of the implementations.
#pragma once

#include <string>
#include <vector>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/protocol.hpp"

namespace ladder::tests {

// The exact answer to every request of the plan, and the same bits every run where the rung says
// so. Where its mistake is the lesson: that it is caught.
void check_gives_the_exact_answer(const Backend& backend, const protocol::Listing& rung);

// All plans of the backend together are as short as a test of minutes has to be. Elements are
// counted, since a clock tells more of the machine.
void check_plans_are_short(const Backend& backend);

// Of every implementation of the operation that takes as many, one after another on one input.
void check_takes_more_than_31_bits_count(const Backend& backend, const std::string& operation);
void check_changes_of_shape(const Backend& backend, const std::string& operation);

// The answers of the rung are those of every library, which may run on another backend.
void check_agrees(const Backend& backend, const protocol::Listing& rung,
                  const Backend& other_backend,
                  const std::vector<const protocol::Listing*>& libraries);

// The answers of several runs that nobody waits for: of one instance, captured as a graph and
// replayed, and of two instances at the same time. What a run leaves in the memory of its rung must
// suit the next one, and be its own.
void check_is_right_when_replayed(const Backend& backend, const protocol::Listing& rung);
void check_is_right_beside_another(const Backend& backend, const protocol::Listing& rung);

}  // namespace ladder::tests
