#pragma once

/// Convergence with the step size: the error measure and the observed order used by all convergence studies.

#include <cmath>
#include <span>

namespace picus {

/// sum |f_n - f(t_n)| / sum |f(t_n)| over all steps (thesis, equation 3.56).
class L1Error {
 public:
  /// Adds a step.
  void add(double computed, double exact) {
    error_ += std::abs(computed - exact);
    size_ += std::abs(exact);
  }
  /// The error over all steps so far.
  double value() const { return error_ / size_; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(error_, size_);
    archive.require(error_ >= 0 && size_ >= 0);
  }

 private:
  double error_ = 0.0;
  double size_ = 0.0;
};

/// The best-fit exponent p of error = C step^p: the slope of the least-squares line through the logarithms. At least
/// two values of each, all positive.
inline double observed_order(std::span<const double> steps, std::span<const double> errors) {
  const auto count = static_cast<double>(steps.size());
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    mean_x += std::log(steps[i]) / count;
    mean_y += std::log(errors[i]) / count;
  }
  double xx = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double x = std::log(steps[i]) - mean_x;
    xx += x * x;
    xy += x * (std::log(errors[i]) - mean_y);
  }
  return xy / xx;
}

}  // namespace picus
