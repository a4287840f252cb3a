// Registration: Register<Operation, Class> at the end of the file of a rung.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "compare/contract.hpp"
#include "compare/registry.hpp"
#include "compare/team.hpp"

namespace ladder {

// Where no kernel can run, a rung is compiled for its first operator and three types: the others
// are the same templates again, and take minutes. CMake sets it (-DLADDER_FEW_TYPES=ON), for
// .ci/run.
#ifdef LADDER_FEW_TYPES
constexpr bool few_types = true;
#else
constexpr bool few_types = false;
#endif

// The element type of an operation, its operator's name where it has one, and what combines the
// answers to parts of the data.
template <class TypedOperation>
struct PartsOf;
template <template <class...> class Operation, class T, class... Op>
struct PartsOf<Operation<T, Op...>> {
  using Element = T;
  using Combine = std::tuple_element_t<0, std::tuple<Op..., Sum>>;
  static constexpr std::string_view op = sizeof...(Op) > 0 ? Combine::name : std::string_view();
};

// Prepares another rung, for a rung that chooses among others: the one with this path, for the same
// operation, element type and operator. Throws std::logic_error with the path if nobody has
// registered it.
template <class TypedOperation>
std::unique_ptr<Prepared> prepare_rung(std::string_view path,
                                       const typename TypedOperation::Device& device) {
  using Its = PartsOf<TypedOperation>;
  const Implementation& rung =
      implementation_of(path, TypedOperation::name, Its::op, dtype_of<typename Its::Element>());
  return (rung.op == Its::op ? rung.prepare : rung.prepare_tree)(&device);
}

// A rung that leaves its work to another one.
template <class TypedOperation>
class LeftTo {
 public:
  LeftTo(std::string_view path, const typename TypedOperation::Device& device)
      : rung_(prepare_rung<TypedOperation>(path, device)) {}

  void operator()(Stream stream) { rung_->run(stream); }
  void to_host(Stream stream, decltype(TypedOperation::Device::out) out) {
    rung_->run_to_host(stream, out);
  }

 private:
  std::unique_ptr<Prepared> rung_;
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

// The types that these are, or that are in this list.
template <class... Ts>
struct ListOf {
  using types = TypeList<Ts...>;
};
template <class... Ts>
struct ListOf<TypeList<Ts...>> : ListOf<Ts...> {};

// Registers a rung: the path of its file is its name. For these types or for this list of them, or
// for the usual ones of the operation.
template <template <class...> class Operation, template <class...> class Rung, class... Ts>
class Register {
 public:
  explicit Register(const Card& card, const char* file = __builtin_FILE())
      : path_(path_of_file(file)) {
    for_types(card, Types());
  }

 private:
  using Types = typename std::conditional_t<sizeof...(Ts) == 0, Operation<std::int32_t>,
                                            ListOf<Ts...>>::types;

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

    explicit Holder(const Device& device) : device_(device), rung_{device} {
      static_assert(!(goes_anywhere && Run::over_devices),
                    "over devices, operator() takes the team alone");
      static_assert(!(goes_anywhere && std::is_invocable_v<TypedRung&, Where>),
                    "a rung has one operator()");
      if constexpr (goes_anywhere && !has_to_host)
        answer_.reset(backend::allocate_on_host(bytes()));
    }
    // nvcc 12.4 refuses the one that it would make itself, and = default
    ~Holder() noexcept override {}
    void restore(Stream stream) override {
      const Enqueuing enqueuing(stream);
      if constexpr (has_restore) rung_.restore(where(stream));
    }
    bool restores() const override { return has_restore; }
    void run(Stream stream) override {
      const Enqueuing enqueuing(stream);
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
        if (bytes() > 0) std::memcpy(answer_.get(), results, bytes());
        rung_(where(stream), static_cast<Results>(answer_.get()));
        backend::synchronize(stream);
        if (bytes() > 0) std::memcpy(results, answer_.get(), bytes());
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
    Memory answer_;  // of the host, for host_result, of a rung that takes `out`
  };

  template <class TypedOperation, class TypedRung>
  static std::unique_ptr<Prepared> prepare(const void* device) {
    // new, not make_unique: a std::unique_ptr of each Holder would cost a quarter of a rung's time
    // to compile.
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
      std::is_same_v<T, std::int32_t> || std::is_same_v<T, double> || std::is_same_v<T, F16>;

  template <class... Each>
  void for_types(const Card& card, TypeList<Each...>) {
    // of few types; a rung that has neither keeps its types
    constexpr bool keeps_all = !few_types || !(is_one_of_few<Each> || ...);
    (for_type<Each, keeps_all>(card), ...);
  }

  template <class T, bool keeps_all>
  void for_type(const Card& card) {
    if constexpr (keeps_all || is_one_of_few<T>)
      for_operators<T>(card, typename Operation<T>::operators());
  }

  template <class T>
  void for_operators(const Card& card, TypeList<>) {
    add<Operation<T>, Rung<T>>(card, dtype_of<T>(), {}, nullptr);
  }

  template <class T, class First, class... Others>
  void for_operators(const Card& card, TypeList<First, Others...>) {
    for_operator<T, First>(card);
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

// Registers a rung over devices that is a class template over the operation, for each of these.
template <template <class> class Rung, template <class...> class... Operations>
class RegisterEachOverDevices {
 public:
  explicit RegisterEachOverDevices(const Card& card, const char* file = __builtin_FILE()) {
    (RegisterOverDevices<Operations, For<Operations>::template Of>(card, file), ...);
  }

 private:
  template <template <class...> class Operation>
  struct For {
    template <class... Ts>
    using Of = Rung<Operation<Ts...>>;
  };
};

}  // namespace ladder
