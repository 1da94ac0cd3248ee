#pragma once

/// The error measure of all convergence studies.

#include <cmath>

namespace picus::models {

/// sum |f_n - f(t_n)| / sum |f(t_n)| over all steps (thesis, equation 3.56).
class L1Error {
 public:
  void add(double computed, double exact) {
    error_ += std::abs(computed - exact);
    size_ += std::abs(exact);
  }
  double value() const { return error_ / size_; }

 private:
  double error_ = 0.0;
  double size_ = 0.0;
};

}  // namespace picus::models
