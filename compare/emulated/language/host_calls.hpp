// CUDA's calls for host code. Those that mean something here do it. Those that have no place in a
// rung are errors that say what has.
#pragma once

#include <cstddef>

#include "compare/emulated/calls/host_calls.hpp"
#include "compare/emulated/types/cuda_words.hpp"

using cudaStream_t = CUstream_st*;
using cudaEvent_t = struct CUevent_st*;

enum cudaError_t { cudaSuccess };
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};

// What a GPU refuses ends the run here: where a rung goes on, all has gone well.
inline cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
inline cudaError_t cudaPeekAtLastError() {
  return cudaSuccess;
}
inline const char* cudaGetErrorString(cudaError_t) {
  return "no error";
}
inline const char* cudaGetErrorName(cudaError_t) {
  return "cudaSuccess";
}

// Inlined: the address that the runtime returns to tells the line.
#define LADDER_HOST_CALL __forceinline__ cudaError_t

LADDER_HOST_CALL cudaDeviceSynchronize() {
  ladder::emulated::wait("cudaDeviceSynchronize");
  return cudaSuccess;
}
LADDER_HOST_CALL cudaStreamSynchronize(cudaStream_t) {
  ladder::emulated::wait("cudaStreamSynchronize");
  return cudaSuccess;
}

// Its name before CUDA 4.
LADDER_HOST_CALL cudaThreadSynchronize() {
  ladder::emulated::wait("cudaThreadSynchronize");
  return cudaSuccess;
}

LADDER_HOST_CALL cudaMemsetAsync(void* to, int value, std::size_t bytes,
                                 cudaStream_t stream = nullptr) {
  ladder::emulated::fill("cudaMemsetAsync", to, value, bytes, {stream});
  return cudaSuccess;
}
LADDER_HOST_CALL cudaMemset(void* to, int value, std::size_t bytes) {
  ladder::emulated::wait(
      "cudaMemset",
      "To clear before each run, call cudaMemsetAsync(to, value, bytes, stream). "
      "What is cleared once is cleared in the constructor.");
  ladder::emulated::fill("cudaMemset", to, value, bytes, {});
  return cudaSuccess;
}

LADDER_HOST_CALL cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                                 cudaStream_t stream = nullptr) {
  ladder::emulated::copy("cudaMemcpyAsync", to, from, bytes, {stream});
  return cudaSuccess;
}
LADDER_HOST_CALL cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  ladder::emulated::wait(
      "cudaMemcpy",
      "Call cudaMemcpyAsync(to, from, bytes, kind, stream). What the host has to "
      "have belongs in to_host().");
  ladder::emulated::copy("cudaMemcpy", to, from, bytes, {});
  return cudaSuccess;
}

// A symbol is a variable of the program: of the host too.
template <class T>
LADDER_HOST_CALL cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset = 0,
                                    cudaMemcpyKind = cudaMemcpyHostToDevice) {
  ladder::emulated::wait("cudaMemcpyToSymbol");
  ladder::emulated::copy("cudaMemcpyToSymbol", (char*)&symbol + offset, from, bytes, {});
  return cudaSuccess;
}
template <class T>
LADDER_HOST_CALL cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                         std::size_t offset, cudaMemcpyKind,
                                         cudaStream_t stream = nullptr) {
  ladder::emulated::copy("cudaMemcpyToSymbolAsync", (char*)&symbol + offset, from, bytes, {stream});
  return cudaSuccess;
}
template <class T>
LADDER_HOST_CALL cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                      std::size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  ladder::emulated::wait("cudaMemcpyFromSymbol");
  ladder::emulated::copy("cudaMemcpyFromSymbol", to, (const char*)&symbol + offset, bytes, {});
  return cudaSuccess;
}

template <class T>
LADDER_HOST_CALL cudaMalloc(T** array, std::size_t bytes) {
  *array = static_cast<T*>(ladder::emulated::allocate("cudaMalloc", bytes, false));
  return cudaSuccess;
}
template <class T>
LADDER_HOST_CALL cudaMallocHost(T** array, std::size_t bytes) {
  *array = static_cast<T*>(ladder::emulated::allocate("cudaMallocHost", bytes, true));
  return cudaSuccess;
}
LADDER_HOST_CALL cudaFree(void* array) {
  ladder::emulated::release("cudaFree", array);
  return cudaSuccess;
}
LADDER_HOST_CALL cudaFreeHost(void* array) {
  ladder::emulated::release("cudaFreeHost", array);
  return cudaSuccess;
}

#undef LADDER_HOST_CALL
#define LADDER_NOT_HERE(why) __attribute__((error(why))) cudaError_t
#define LADDER_WITHOUT_EVENTS \
  LADDER_NOT_HERE("a rung has no events: the study takes its time. Remove them")
#define LADDER_WITHOUT_STREAMS \
  LADDER_NOT_HERE("a rung makes no stream: it works in the one that operator() is given")

LADDER_WITHOUT_EVENTS cudaEventCreate(cudaEvent_t*);
LADDER_WITHOUT_EVENTS cudaEventCreateWithFlags(cudaEvent_t*, unsigned);
LADDER_WITHOUT_EVENTS cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr);
LADDER_WITHOUT_EVENTS cudaEventSynchronize(cudaEvent_t);
LADDER_WITHOUT_EVENTS cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
LADDER_WITHOUT_EVENTS cudaEventDestroy(cudaEvent_t);
LADDER_WITHOUT_STREAMS cudaStreamCreate(cudaStream_t*);
LADDER_WITHOUT_STREAMS cudaStreamCreateWithFlags(cudaStream_t*, unsigned);
LADDER_WITHOUT_STREAMS cudaStreamDestroy(cudaStream_t);
constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2;

#undef LADDER_WITHOUT_STREAMS
#undef LADDER_WITHOUT_EVENTS
#undef LADDER_NOT_HERE
