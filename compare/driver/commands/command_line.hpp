// The commands.
#pragma once

namespace ladder {

// Everything from the arguments to the exit code: 0 good; 1 a verdict failed; 2 bad usage or a bad
// file, said in one sentence; 130 interrupted.
int command_line(int argc, char** argv);

}  // namespace ladder
