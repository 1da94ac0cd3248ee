#pragma once

/// What a three-node beam keeps of its Gauss points. What is computed there is in beam3_strain.hpp, for its source.

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

/// What does not change: polynomials, weight (length of beam that the place stands for) and strain at the start.
struct Point {
  std::array<double, 2> N;
  std::array<double, 2> slope;
  double weight;
  Vec6 start;
};

}  // namespace picus::beam3
