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

/// A line fitted through the logarithms of errors over those of step sizes, error = C step^order.
struct OrderFit {
  double order = 0.0;  ///< exponent of the step
  /// Standard error of the order, from the scatter of the errors about the line; 0 for two errors, through which the
  /// line passes.
  double standard_error = 0.0;
};

/// Fits the line by least squares, to at least two different steps and as many errors, all positive.
inline OrderFit fit_order(std::span<const double> steps, std::span<const double> errors) {
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
  OrderFit fit{.order = xy / xx};
  if (steps.size() == 2) return fit;
  double scatter = 0.0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double off = std::log(errors[i]) - mean_y - fit.order * (std::log(steps[i]) - mean_x);
    scatter += off * off;
  }
  fit.standard_error = std::sqrt(scatter / (count - 2.0) / xx);
  return fit;
}

/// OrderFit::order.
inline double observed_order(std::span<const double> steps, std::span<const double> errors) {
  return fit_order(steps, errors).order;
}

}  // namespace picus
