// The GPU times of a result set in short: of one operation, for the input that tells most.
#pragma once

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

// Cells of the inputs that the most rungs passed, or at least this share of as many. On displaced
// arrays only where there are no others.
Cells of_fullest_inputs(Cells cells, double share = 1);

// The cells of the input that shows most: one with an answer, on arrays that are not displaced, the
// largest size, the first operator and type. In the order of the ladder; references on one device
// first.
Cells of_most_telling_input(Cells cells, const Order& order);

// cells: of one operation. Those that share one input with an answer: until the result is in device
// memory, from cold caches, on arrays that are not displaced, at most 2^28 elements, and the
// largest of those. In the order of the ladder; empty where there are none.
Cells telling_gpu_times(const Cells& cells, const Order& order);

// The cells of the most telling input, among those that nearly all rungs passed.
Cells telling_of_nearly_all(const Cells& cells, const Order& order);

// telling_gpu_times(). Where nothing was timed on a GPU: telling_of_nearly_all().
Cells telling_cells(const Cells& cells, const Order& order);

}  // namespace ladder::reports
