// What every implementation is asked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/protocol.hpp"

namespace ladder::tests {

// How much is asked of a rung as one operation, operator and type. A GPU and a CPU are asked all of
// it. The emulated backend takes minutes over that, and repeats itself:
//
// - The shape of a tree, with each of its indices, barriers and fences, does not depend on the
//   operator. The first operator has the whole plan, for each type. Another one differs in its
//   identity, in the values that it combines, and in its atomics: it has the plan of values.
// - A rung scans inclusively and exclusively by one kernel, which differs where an element begins
//   and ends. The inclusive scan has the whole plan, the exclusive one that of values, and each
//   edge.
enum class Depth { whole, edges, values };

// Every size, kind of input, number of bins and schedule.
std::vector<protocol::VerifyRequest> whole_plan(const protocol::OperationListing& operation);

// Every edge and alignment, and an input long enough for more levels of partial results than
// whole_plan sees. Where an element lies matters to every operator alike: this is asked of one
// operator for each type.
std::vector<protocol::VerifyRequest> placement_plan(const protocol::OperationListing& operation);

// Nothing, one, few, one block and its neighbours, one large size; every kind of input, with every
// special value; every schedule once.
std::vector<protocol::VerifyRequest> values_plan(const protocol::OperationListing& operation);

// Every size below two tiles, and every edge.
std::vector<protocol::VerifyRequest> edges_plan(const protocol::OperationListing& operation);

// Of a type that is converted before it is accumulated. The other types show how a rung works. Left
// are the edges of its vectors and several blocks of them, or its conversions alone.
std::vector<protocol::VerifyRequest> vectors_plan(const protocol::OperationListing& operation);
std::vector<protocol::VerifyRequest> conversions_plan(const protocol::OperationListing& operation);

// More elements than a signed 32-bit index can name.
std::vector<protocol::VerifyRequest> huge_plan(const protocol::OperationListing& operation);

// Every kind of input at few sizes, to hold two implementations against each other.
std::vector<protocol::VerifyRequest> short_plan(const protocol::OperationListing& operation);

// A size for each shape of the rungs: few blocks, many, and `on_a_gpu` all that are resident at
// once, and several times as many.
std::vector<protocol::VerifyRequest> shapes_plan(const protocol::OperationListing& operation,
                                                 bool on_a_gpu);

// Both sides of each size at which a rung changes its shape on a GPU of 132 multiprocessors.
std::vector<protocol::VerifyRequest> changes_plan(const protocol::OperationListing& operation);

// Data spread over so many devices: fewer elements than devices, parts that differ in length, every
// kind of input, other alignments and schedules.
std::vector<protocol::VerifyRequest> devices_plan(const protocol::OperationListing& operation,
                                                  unsigned devices);

// The elements that a rung reads for these answers, one run after the other: the work of a test.
std::uint64_t elements_of(const std::vector<protocol::VerifyRequest>& plan);

// "sum of f32, n = 1000, dyadic, seed 3, offset 2"
std::string in_words(const ProblemSpec& problem);

}  // namespace ladder::tests
