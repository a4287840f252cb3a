// inclusive_scan: out[i] = in[0] op .. op in[i].  exclusive_scan: out[0] = identity, out[i] = in[0]
// op .. op in[i-1].
//
// In the order of the elements: an operator need not commute (Compose does not). The identity takes
// part, so that a logical operator gives 0 or 1 for in[0] too. Elements are combined as
// Accumulator<T>, and each prefix is converted to T, which rounds it once. Rungs and library calls
// of both kinds live in handwritten/scan/ and vendor/scan/, and register for those that they do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "compare/contract.hpp"
#include "compare/operators.hpp"
#include "compare/register.hpp"

namespace ladder {

enum class ScanKind { inclusive, exclusive };

template <class T>
struct ScanArguments {
  const T* in;    // n elements, never modified
  std::size_t n;  // 0 is allowed
  T* out;         // n elements

  std::size_t results() const { return n; }
};

template <class T>
using ScanOperators =
    std::conditional_t<!std::is_same_v<T, Accumulator<T>>, TypeList<Sum>,
                       std::conditional_t<std::is_same_v<T, std::int64_t>,
                                          TypeList<Sum, Product, LogicalOr, LogicalAnd, Compose>,
                                          TypeList<Sum, Product, LogicalOr, LogicalAnd>>>;

template <class T, class Op = Sum>
struct InclusiveScan {
  static constexpr std::string_view name = "inclusive_scan";
  using types = Numbers;
  using operators = ScanOperators<T>;
  using Device = ScanArguments<T>;
};

template <class T, class Op = Sum>
struct ExclusiveScan {
  static constexpr std::string_view name = "exclusive_scan";
  using types = Numbers;
  using operators = ScanOperators<T>;
  using Device = ScanArguments<T>;
};

template <class T, class Op, ScanKind kind>
using Scan =
    std::conditional_t<kind == ScanKind::inclusive, InclusiveScan<T, Op>, ExclusiveScan<T, Op>>;

// Registers a rung that is a class template over the kind too, for both scans.
template <template <class, class, ScanKind> class Rung, template <class...> class Inclusive,
          template <class...> class Exclusive, class... Ts>
class RegisterBoth {
 public:
  explicit RegisterBoth(const Card& card, const char* file = __builtin_FILE()) {
    Register<Inclusive, OfInclusive, Ts...>(card, file);
    Register<Exclusive, OfExclusive, Ts...>(card, file);
  }

 private:
  template <class T, class Op>
  using OfInclusive = Rung<T, Op, ScanKind::inclusive>;
  template <class T, class Op>
  using OfExclusive = Rung<T, Op, ScanKind::exclusive>;
};

template <template <class, class, ScanKind> class Rung, class... Ts>
using RegisterScans = RegisterBoth<Rung, InclusiveScan, ExclusiveScan, Ts...>;

template <template <class, class, ScanKind> class Rung>
using RegisterScansOverDevices =
    RegisterBoth<Rung, OverDevices<InclusiveScan>::Of, OverDevices<ExclusiveScan>::Of>;

}  // namespace ladder
