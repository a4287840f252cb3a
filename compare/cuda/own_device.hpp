// Which GPU is device 0.
#pragma once

namespace ladder::gpu {

// From here on the GPU that is this process's own: of those that it sees, the one of its rank,
// counted from the first again where there are fewer. It is the only device then.
void take_device(unsigned rank);

}  // namespace ladder::gpu
