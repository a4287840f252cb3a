// The implementations of a program, as its runner sees them. Each registers itself
// (compare/register.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/contract.hpp"

namespace ladder {

namespace reports {
struct Operation;
}

// Memory that the backend has allocated, for as long as the object lives.
struct Release {
  void operator()(void* pointer) const { backend::release(pointer); }
};
using Memory = std::unique_ptr<void, Release>;

// One implementation, constructed on one set of arguments.
class Prepared {
 public:
  virtual ~Prepared() = default;
  virtual void restore(Stream stream) = 0;
  // whether restore() does anything; then no run can follow another at once
  virtual bool restores() const { return false; }
  virtual void run(Stream stream) = 0;  // device_result
  // host_result; out: the operation's output; what is not written stays
  virtual void run_to_host(Stream stream, void* out) = 0;
  // returns when what run() enqueued is over
  virtual void wait(Stream stream) { backend::synchronize(stream); }
  // on whose streams it enqueues (backend::stream_of); 0: on the stream that it is given
  virtual unsigned devices() const { return 0; }
  virtual std::optional<std::uint64_t> sm_cycles() { return {}; }
};

// One implementation for one element type and operator, as the runner sees it.
struct Implementation {
  std::string_view path;       // "handwritten/reduce/interleaved"
  std::string_view operation;  // "reduce"
  std::string_view op;         // "sum"; empty where the operation has no operator
  std::string_view dtype;      // "i32": of reports/model/element_types.hpp
  Card card;
  // device: the operation's own Device struct
  std::unique_ptr<Prepared> (*prepare)(const void* device);
  // false: it can only return its answer to the host
  bool enqueues = true;
  // The same over Height, on HeightFor the element type; device: that of Problem::leaves(). Null:
  // its tree cannot be measured.
  std::unique_ptr<Prepared> (*prepare_tree)(const void* device) = nullptr;
  bool over_devices = false;  // it takes data that is spread over devices

  bool offers(Contract contract) const { return enqueues || contract == Contract::host_result; }
};

// "handwritten/reduce/interleaved" -> "handwritten"; "vendor/reduce/thrust_host" -> "thrust", the
// library's name up to its first underscore.
std::string_view provider_of(std::string_view path);

// Of the limit of an input (worker/limit.hpp), which is no implementation: "limit/reduce/read",
// "limit/inclusive_scan/copy".
std::string limit_path(const reports::Operation& operation);
bool is_limit(std::string_view path);

// The file's name without folder and extension: "interleaved", "thrust_host".
std::string_view rung_of(std::string_view path);

// "/home/me/ladder/handwritten/reduce/interleaved.cu" -> "handwritten/reduce/interleaved"
std::string_view path_of_file(std::string_view file);

void register_implementation(const Implementation& implementation);

// All implementations in this program, sorted by path, operator and type. Throws std::logic_error
// with the path if two have one name.
const std::vector<Implementation>& implementations();

// The implementation with this path, for this operation, element type and operator ("height": the
// one that has a tree). Throws std::logic_error with the path if nobody has registered it.
const Implementation& implementation_of(std::string_view path, std::string_view operation,
                                        std::string_view op, std::string_view dtype);

// Sorted by path, operation, operator and type. Throws std::logic_error that names the path if two
// registered as one.
std::vector<Implementation> in_order(std::vector<Implementation> registered);

// A file is left out where the compiler refuses it (compare/rung_compiler/), and where it needs
// what is not here (compare/cuda/left_out.cmake). One of these stands in for it.
struct LeftOut {
  std::string_view file;    // "handwritten/reduce/interleaved.cu"
  std::string_view reason;  // the compiler's, or "it needs NCCL"
  bool is_error;

  LeftOut(std::string_view that_file, std::string_view that_reason, bool is_an_error = true);
};

const std::vector<LeftOut>& left_out();

}  // namespace ladder
