#pragma once

#include <picus/types.hpp>

namespace picus {

/// A vector of the motion, in natural layout, as an affine function of z and of the y of another stage:
///
///     x = constant + own z + other y
///
/// The vectors pointed to may change between evaluations.
struct StageMap {
  const Vector* constant = nullptr;  ///< null: 0
  double own = 0.0;
  double other = 0.0;
  const Vector* y = nullptr;  ///< null: 0

  bool moves() const { return own != 0.0 || other != 0.0; }
  void evaluate(const Vector& z, Vector& x) const {
    if (constant != nullptr) {
      x = *constant + own * z;
    } else {
      x = own * z;
    }
    if (y != nullptr && other != 0) x += other * *y;
  }
  bool operator==(const StageMap&) const = default;
};

}  // namespace picus
