#include "compare/operations/exact_sum.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <span>

namespace ladder {
namespace {

// As wide as a counter of the largest exponent reaches, and some.
using Integer = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<2304, 2304, boost::multiprecision::signed_magnitude>>;

constexpr int unit = -1074;  // integers here count units of 2^-1074, the least positive double

auto of_sign(const auto& mantissas, std::size_t sign) {
  return std::span(mantissas).subspan(sign * mantissas.size() / 2, mantissas.size() / 2);
}

// By exponent field; 0 holds the subnormals, which have the unit of 1.
Integer total(auto mantissas) {
  Integer sum = 0;
  for (std::size_t exponent = 0; exponent < mantissas.size(); ++exponent)
    if (mantissas[exponent] != 0)
      sum += Integer(mantissas[exponent]) << (exponent == 0 ? 0 : exponent - 1);
  return sum;
}

template <class T>
T round_magnitude(const Integer& magnitude) {
  if (magnitude == 0) return 0;
  // exponent of T's least subnormal
  constexpr int least =
      std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits - unit;
  const int surplus =
      std::max(static_cast<int>(msb(magnitude)) + 1 - std::numeric_limits<T>::digits, least);
  if (surplus <= 0) return std::ldexp(static_cast<T>(magnitude), unit);

  Integer kept = magnitude >> surplus;
  const Integer rest = magnitude - (kept << surplus), half = Integer(1) << (surplus - 1);
  if (rest > half || (rest == half && bit_test(kept, 0))) ++kept;
  // overflows to infinity as rounding does
  return std::ldexp(static_cast<T>(kept), surplus + unit);
}

}  // namespace

void ExactSum::add(const ExactSum& other) {
  std::ranges::transform(mantissas_, other.mantissas_, mantissas_.begin(), std::plus<>());
  special_ += other.special_;
}

template <class T>
T ExactSum::rounded() const {
  if (special_ != 0) return static_cast<T>(special_);  // NaN too is unequal to 0
  const Integer sum = total(of_sign(mantissas_, 0)) - total(of_sign(mantissas_, 1));
  return sum < 0 ? -round_magnitude<T>(-sum) : round_magnitude<T>(sum);
}

template float ExactSum::rounded() const;
template double ExactSum::rounded() const;

double ExactSum::magnitude() const {
  return round_magnitude<double>(total(of_sign(mantissas_, 0)) + total(of_sign(mantissas_, 1)));
}

}  // namespace ladder
