#pragma once

/// Data that a three-node beam stores for its Gauss points. What is evaluated there is in beam3_strain.hpp, which
/// only source files need.

#include <picus/elements/beams/section.hpp>

#include <array>

namespace picus {
struct SectionMotion;
}

namespace picus::beam3 {

struct Rate;
struct Relative;
struct Strain;
using Vec12 = Eigen::Matrix<double, 12, 1>;

/// Constant data: shape functions, weight (length of beam that the point represents) and initial strain.
struct Point {
  std::array<double, 2> N;
  std::array<double, 2> slope;
  double weight;
  Vec6 start;
};

}  // namespace picus::beam3
