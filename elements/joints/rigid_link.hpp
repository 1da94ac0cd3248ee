#pragma once

/// A rigid link: B keeps its initial position and orientation relative to A (Galvez 2020, eq. 2.41).
///
///     x_B - x_A - R_A X = 0                                    3 equations
///     a_1 . b_2 = 0,   a_2 . b_3 = 0,   a_3 . b_1 = 0          3 equations, none if B is a point
///
/// a_i are the body axes of A and b_i directions of B that lie along them at the start. Near the solution the
/// gradients of the last three are the axes a_3, a_1, a_2: full rank.

#include <picus/elements/joints/joint.hpp>

namespace picus {

class RigidLink : public Joint {
 public:
  struct Parameters {
    std::string name;
    FrameNode a;  ///< in its axes the offset of b is constant
    Node b;       ///< a frame or a point, other than a
  };
  RigidLink(const Parameters& parameters, const Model& model);

  /// X: from A to B in the axes of A, m.
  const Vec3& offset() const { return offset_; }

  /// A line from a to b.
  std::vector<MaterialPoint> points() const override;

 private:
  Vec3 offset_;
};

}  // namespace picus
