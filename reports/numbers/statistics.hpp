// The statistics of the study; what each is for is said in docs/measuring.md. Pure functions,
// tested against known distributions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ladder::statistics {

struct Interval {
  double value = 0, low = 0, high = 0;
};

// To six significant digits, far more than a time of this study has. So no file spends most of its
// bytes on digits without a meaning.
double six_digits(double value);
Interval six_digits(const Interval& interval);

// linear interpolation between order statistics (Hyndman & Fan type 7)
double quantile(std::span<const double> sorted, double p);
double median(std::vector<double> values);

// Values more than 1.5 interquartile ranges outside the quartiles (J. W. Tukey, Exploratory Data
// Analysis, 1977).
unsigned outliers(std::span<const double> sorted);

// The median with its exact binomial 95 % interval, from order statistics; no assumption on the
// distribution. Under 6 values: low and high are the extremes. Serves to stop sampling, and stands
// in where there is only one process.
Interval median_interval(std::vector<double> values);

// The median of process medians with a 95 % Student t interval over processes, taken on the
// logarithms. Needs at least 2.
Interval over_processes(std::span<const double> process_medians);

// How many times as fast a is as b, b / a: log-ratios paired by process, Student t over processes.
// Needs at least 2, equally many of each.
Interval speedup(std::span<const double> a_us, std::span<const double> b_us);

// What over_processes or speedup says of one run; its processes have nothing in common with those
// of another.
struct Summary {
  Interval interval;
  unsigned processes = 0;  // at least 2
};

// a's quantity over b's, unpaired: Welch's t on the logarithms, with Satterthwaite's degrees of
// freedom. The middle of an interval, on the logarithms, is the mean, and its half width tells the
// standard error. Of six processes each it calls the same thing different in 4.4 % of the cases.
Interval quotient(const Summary& a, const Summary& b);

// The probability that at most `fewer` of n fair coins fall on one side, or as many on the other:
// two-sided sign test.
double both_sides_of_even(std::size_t fewer, std::size_t n);

// The probability that of n independent events, each as probable as this, so many happen or more.
double at_least(std::size_t happened, std::size_t n, double probability);

double student_t_975(double degrees_of_freedom);  // the 97.5 % quantile

}  // namespace ladder::statistics
