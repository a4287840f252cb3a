// What is held true of the implementations.
#pragma once

#include "compare/driver/catalogue.hpp"
#include "compare/protocol.hpp"

namespace ladder::tests {

// The exact answer to every request of the plan, and the same bits every run where the rung says so. Where its mistake is the lesson: that it is
// caught.
void check_gives_the_exact_answer(const Backend& backend, const protocol::Listing& rung);

// Each on its own backend.
void check_agree(const Backend& backend, const protocol::Listing& rung, const Backend& other_backend, const protocol::Listing& library);

}  // namespace ladder::tests
