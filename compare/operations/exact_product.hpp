// The product of floating-point numbers in twice the precision of a double: each rounding error is
// itself kept and carried along.
//
// T. Ogita, S. M. Rump, S. Oishi, "Accurate sum and dot product" (SIAM J. Sci. Comput. 26, 2005),
// and S. Graillat, "Accurate floating-point product and exponentiation" (IEEE Trans. Computers 58,
// 2009): for n factors the result is off by u + O(n^2 u^2) at most, u = 2^-53, as long as no
// partial product over- or underflows.
#pragma once

#include <cmath>

namespace ladder {

class ExactProduct {
 public:
  void multiply(double x) {
    const double product = high_ * x;
    low_ = low_ * x + std::fma(high_, x, -product);
    high_ = product;
  }

  void multiply(const ExactProduct& other) {
    const double low = other.low_ * high_;
    multiply(other.high_);
    low_ += low;
  }

  template <class T>
  T rounded() const {
    return static_cast<T>(std::isfinite(high_) ? high_ + low_ : high_);
  }

 private:
  double high_ = 1, low_ = 0;
};

}  // namespace ladder
