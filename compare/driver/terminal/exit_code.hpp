// How a program of this project ends.
#pragma once

#include <functional>

namespace ladder {

// The exit code of `action`, or of what it throws, which is said in one sentence: 2 for bad usage,
// a bad file, or a file or folder that fails; 130 where it was interrupted; 1 for a mistake in the
// program itself.
int exit_code_of(const std::function<int()>& action);

}  // namespace ladder
