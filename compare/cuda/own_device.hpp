// Which GPU is device 0, and which one is in use.
#pragma once

namespace ladder::gpu {

// From here on the GPU that is this process's own: of those that it sees, the one of its rank,
// counted from the first again where there are fewer. It is the only device then.
void take_device(unsigned rank);

// The GPU that has this memory is the one in use for the life of the object. Threads of a pool
// begin with device 0 in use, which need not be one of this process.
class OnDeviceOf {
 public:
  explicit OnDeviceOf(const void* memory);
  OnDeviceOf(const OnDeviceOf&) = delete;
  OnDeviceOf& operator=(const OnDeviceOf&) = delete;
  ~OnDeviceOf();

  int device() const { return device_; }

 private:
  int before_ = 0, device_ = 0;
};

}  // namespace ladder::gpu
