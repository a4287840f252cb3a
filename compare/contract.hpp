// The contract. Read this first: what an operation is, what an implementation is, and how one
// registers.
//
// An *operation* (compare/operations/) says what is computed, what "equal" means and which bytes
// must move, never who does it. It is a template over the element type, and over the operator where
// it has one:
//
//   template <class T, class Op = Sum>
//   struct Reduce {
//     static constexpr std::string_view name = "reduce";
//     using operators = TypeList<Sum, Product, ...>;       // TypeList<> where the operation has no
//     operator
//     struct Device {            // the arguments, all arrays in device memory
//       const T* in;
//       std::size_t n;
//       T* out;
//       std::size_t results() const;  // elements of out
//     };
//   };
//
// An *implementation* (handwritten/, vendor/) is a class template over the same parameters:
//
//   template <class T, class Op>
//   class Interleaved {
//    public:
//     explicit Interleaved(const typename Reduce<T, Op>::Device&);  // prepares: scratch memory,
//     launch shape. Not timed.
//     void restore(Stream);          // optional. Called before every run, not timed: a kernel that
//     destroys its input gets a fresh copy here.
//     void operator()(Stream);       // enqueues one run that leaves the answer in device memory.
//     Timed: no allocation, no synchronisation.
//     void operator()(Stream, T* out);  // or this in place of it, for an operation with few
//     results: leaves the answer at `out`.
//     void to_host(Stream, T* out);  // one run whose answer the host holds on return. Timed. Where
//     there is none: operator(), then a copy.
//     std::uint64_t sm_cycles();     // optional. Of the last run: the clock cycles that its one
//     block took, by its multiprocessor's clock.
//   };                               // the destructor frees
//
// operator() and to_host are the two contracts, device_result and host_result. One of them is
// enough. A time of one never stands beside a time of the other. A library that returns its result,
// such as thrust::reduce, has to_host alone. A rung whose operator() takes `out` needs no to_host:
// for host_result `out` is page-locked memory of the host, where the kernel itself writes, and no
// device memory is copied.
//
// It may throw from any of these; the message reaches the report. It must give the right answer for
// every n, 0 and 1 included, for pointers aligned to the element type and no more, and leave its
// input as it found it. Its file opens with its Card, and its last line registers it:
//
//   constexpr Card card{.idea = "...", .costs = "...", .limited_by = "..."};
//   ..
//   const Register<Reduce, Interleaved, std::int32_t, std::int64_t, float, double> rung{card};
//
// An implementation *over devices* takes data that is spread over several: Spread<Device> in place
// of Device (team.hpp), and the Team in place of the stream, on whose devices it enqueues.
// RegisterOverDevices registers it.
//
// Its name is the path of its file; there is no list to add it to. Where the operation has
// operators, the line also instantiates the class with Height (operators.hpp), which measures the
// tree in which it combines elements. A class template whose constraints refuse integers or Height
// has no such instance, and one whose constraints refuse an operator is not registered for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "compare/backend.hpp"
#include "compare/operators.hpp"
#include "compare/team.hpp"
#include "reports/model/vocabulary.hpp"

namespace ladder {

template <class... Ts>
struct TypeList {};

// Where no kernel can run, a rung is compiled for its first operator and two types: the others are
// the same templates again, and take minutes. CMake sets it (-DLADDER_FEW_TYPES=ON), for .ci/run.
#ifdef LADDER_FEW_TYPES
constexpr bool few_types = true;
#else
constexpr bool few_types = false;
#endif

using reports::Contract, reports::name_of;

// The library of a call, and its version by its own headers. A part that they do not say is -1.
struct Library {
  std::string_view name = {};
  int release = -1, update = -1, patch = -1;
  // of the name of a rung that is the same file, compiled with a newer version: "_3_5"
  std::string_view ending = {};
};

// A rung's description of itself. It is data, so a report can show it. Each text is one or two
// plain sentences without a line break. A hand-written rung has idea, costs and limited_by, and
// step where it follows another; a library call has idea, library and source. Tests check that.
struct Card {
  std::string_view idea;  // what it does, in one sentence
  // the rung one step down the ladder, faster or slower; empty for a first rung. Orders the ladder.
  std::string_view follows = {};
  std::string_view step = {};        // what it does that the rung it follows does not
  std::string_view costs = {};       // what it spends on that
  std::string_view limited_by = {};  // what keeps it from being faster
  // what was wrong in the study notes, and what stands here instead; empty if nothing was
  std::string_view repaired = {};
  // of a library call: what its time includes, and how it differs from a rung
  std::string_view to_know = {};
  // the study notes it comes from, "N1 N4"; empty for a rung of our own
  std::string_view notes = {};
  Library library = {};          // of a library call
  std::string_view source = {};  // the author of the idea; of a library call, its header
  std::string_view needs = {};   // hardware it cannot run without, "sm_90"
  // larger inputs are skipped ..
  std::uint64_t max_elements = std::numeric_limits<std::uint64_t>::max();
  std::string_view max_reason = {};  // .. and this is why
  // it also adds up the rounding errors: held to the bound of twice the precision
  bool compensated = false;
  // it adds f32 by atomics on global memory, which take subnormal numbers for 0 (PTX ISA, atom)
  bool flushes_subnormals = false;
  // the determinism class, tested: false where floats are combined in an order that varies
  bool same_bits_every_run = true;
  // over devices: they reach each other by the team's collective calls alone, so each may be of
  // another process
  bool collective = false;
  bool expected_wrong = false;  // the mistake is the lesson; the tests check that it is caught
};

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
  std::string_view dtype;      // "u8", "i32", "i64", "f32" or "f64"
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

// The file's name without folder and extension: "interleaved", "thrust_host".
std::string_view rung_of(std::string_view path);

// "/home/me/ladder/handwritten/reduce/interleaved.cu" -> "handwritten/reduce/interleaved"
std::string_view path_of_file(std::string_view file);

void register_implementation(const Implementation& implementation);

// All implementations in this program, sorted by path, operator and type. Throws std::logic_error
// with the path if two have one name.
const std::vector<Implementation>& implementations();

template <class T>
constexpr std::string_view dtype_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return "u8";
  if constexpr (std::is_same_v<T, std::int32_t>) return "i32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "i64";
  if constexpr (std::is_same_v<T, float>) return "f32";
  if constexpr (std::is_same_v<T, double>) return "f64";
}

// For a rung that chooses among others: the one with this path, for the same operation, element
// type and operator (Height: its tree). Throws std::logic_error with the path if nobody has
// registered it.
const Implementation& implementation_of(std::string_view path, std::string_view operation,
                                        std::string_view op, std::string_view dtype);
template <template <class...> class Operation, class T, class Op>
std::unique_ptr<Prepared> prepare_rung(std::string_view path,
                                       const typename Operation<T, Op>::Device& device) {
  const Implementation& rung =
      implementation_of(path, Operation<T, Op>::name, Op::name, dtype_of<T>());
  return (rung.op == Op::name ? rung.prepare : rung.prepare_tree)(&device);
}
template <template <class...> class Operation, class T>  // an operation without operators
std::unique_ptr<Prepared> prepare_rung(std::string_view path,
                                       const typename Operation<T>::Device& device) {
  return implementation_of(path, Operation<T>::name, {}, dtype_of<T>()).prepare(&device);
}

// Memory of the host that kernels can write, for as long as the object lives.
class HostMemory {
 public:
  HostMemory() = default;
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  ~HostMemory() {
    if (data_ != nullptr) backend::release(data_);
  }

  void allocate(std::size_t bytes) { data_ = backend::allocate_on_host(bytes); }  // once
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

// What a rung can do. Concepts, since nvcc 12.4 takes some of these expressions for false, and
// others for errors, where they stand in a class.
template <template <class...> class Rung, class... Ts>
concept Takes = requires {
  typename Rung<Ts...>;
};
template <class Rung, class Where, class Results>
concept HasToHost = requires(Rung rung, Where place, Results results) {
  rung.to_host(place, results);
};

// In the file of a rung: the path is the name.
template <template <class...> class Operation, template <class...> class Rung, class... Ts>
class Register {
 public:
  explicit Register(const Card& card, const char* file = __builtin_FILE())
      : path_(path_of_file(file)) {
    (for_operators<Ts>(card, typename Operation<Ts>::operators{}), ...);
  }

 private:
  using Prepare = std::unique_ptr<Prepared> (*)(const void* device);

  template <class TypedOperation, class TypedRung,
            class Run = RunOf<typename TypedOperation::Device>>
  static constexpr bool takes_out =
      std::is_invocable_v<TypedRung&, typename Run::Where, typename Run::Results>;
  template <class TypedOperation, class TypedRung,
            class Run = RunOf<typename TypedOperation::Device>>
  static constexpr bool enqueues =
      std::is_invocable_v<TypedRung&, typename Run::Where> || takes_out<TypedOperation, TypedRung>;

  template <class TypedOperation, class TypedRung>
  class Holder final : public Prepared {
   public:
    using Device = typename TypedOperation::Device;
    using Run = RunOf<Device>;
    using Where = typename Run::Where;
    using Results = typename Run::Results;

    explicit Holder(const Device& device) : device_(device), rung_(device) {
      static_assert(!(goes_anywhere && Run::over_devices),
                    "over devices, operator() takes the team alone");
      static_assert(!(goes_anywhere && std::is_invocable_v<TypedRung&, Where>),
                    "a rung has one operator()");
      if constexpr (goes_anywhere && !has_to_host) answer_.allocate(bytes());
    }
    // nvcc 12.4 refuses the one that it would make itself, and = default
    ~Holder() noexcept override {}
    void restore(Stream stream) override {
      if constexpr (has_restore) rung_.restore(where(stream));
    }
    bool restores() const override { return has_restore; }
    void run(Stream stream) override {
      if constexpr (goes_anywhere) rung_(where(stream), device_.out);
      else if constexpr (enqueues<TypedOperation, TypedRung>) rung_(where(stream));
      else throw std::logic_error("it has no device_result");
    }
    void run_to_host(Stream stream, void* out) override {
      auto* const results = static_cast<Results>(out);
      if constexpr (has_to_host) {
        rung_.to_host(where(stream), results);
      } else if constexpr (goes_anywhere) {
        // what the kernel does not write stays as it was
        if (bytes() > 0) std::memcpy(answer_.data(), results, bytes());
        rung_(where(stream), static_cast<Results>(answer_.data()));
        backend::synchronize(stream);
        if (bytes() > 0) std::memcpy(results, answer_.data(), bytes());
      } else {
        rung_(where(stream));
        if constexpr (Run::over_devices) device_.download(results);
        else backend::download(results, device_.out, bytes(), stream);
      }
    }
    void wait(Stream stream) override {
      if constexpr (Run::over_devices) device_.team->wait();
      else Prepared::wait(stream);
    }
    unsigned devices() const override {
      if constexpr (Run::over_devices) return device_.team->size();
      else return 0;
    }
    std::optional<std::uint64_t> sm_cycles() override {
      if constexpr (requires { rung_.sm_cycles(); }) return rung_.sm_cycles();
      else return {};
    }

   private:
    static constexpr bool goes_anywhere = takes_out<TypedOperation, TypedRung>;
    static constexpr bool has_restore = requires(TypedRung rung, Where place) {
      rung.restore(place);
    };
    static constexpr bool has_to_host = HasToHost<TypedRung, Where, Results>;

    std::size_t bytes() const { return device_.results() * sizeof *device_.out; }
    Where where(Stream stream) const {
      if constexpr (Run::over_devices) return *device_.team;
      else return stream;
    }

    Device device_;
    TypedRung rung_;
    HostMemory answer_;  // for host_result, of a rung that takes `out`
  };

  template <class TypedOperation, class TypedRung>
  static std::unique_ptr<Prepared> prepare(const void* device) {
    // Not make_unique: a std::unique_ptr of each Holder would cost a quarter of a rung's time to
    // compile.
    return std::unique_ptr<Prepared>(new Holder<TypedOperation, TypedRung>(
        *static_cast<const typename TypedOperation::Device*>(device)));
  }

  template <class T>
  static constexpr Prepare prepare_tree() {
    if constexpr (Takes<Rung, T, Height>) return prepare<Operation<T, Height>, Rung<T, Height>>;
    else return nullptr;
  }

  template <class T>
  static constexpr bool is_one_of_few =
      std::is_same_v<T, std::int32_t> || std::is_same_v<T, double>;
  // a rung that has neither keeps its types
  template <class T>
  static constexpr bool is_left_out = few_types && !is_one_of_few<T> && (is_one_of_few<Ts> || ...);

  template <class T>
  void for_operators(const Card& card, TypeList<>) {
    if constexpr (!is_left_out<T>) add<Operation<T>, Rung<T>>(card, dtype_of<T>(), {}, nullptr);
  }

  template <class T, class First, class... Others>
  void for_operators(const Card& card, TypeList<First, Others...>) {
    if constexpr (!is_left_out<T>) for_operator<T, First>(card);
    if constexpr (!few_types) (for_operator<T, Others>(card), ...);
  }

  template <class T, class Op>
  void for_operator(const Card& card) {
    if constexpr (Takes<Rung, T, Op>)
      add<Operation<T, Op>, Rung<T, Op>>(card, dtype_of<T>(), Op::name,
                                         prepare_tree<HeightFor<T>>());
  }

  template <class TypedOperation, class TypedRung>
  void add(const Card& card, std::string_view dtype, std::string_view op, Prepare tree) {
    register_implementation({path_, TypedOperation::name, op, dtype, card,
                             prepare<TypedOperation, TypedRung>,
                             enqueues<TypedOperation, TypedRung>, tree,
                             RunOf<typename TypedOperation::Device>::over_devices});
  }

  std::string_view path_;
};

template <template <class...> class Operation, template <class...> class Rung, class... Ts>
using RegisterOverDevices = Register<OverDevices<Operation>::template Of, Rung, Ts...>;

}  // namespace ladder
