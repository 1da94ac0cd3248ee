#pragma once

/// Rows by which a contact resists drilling and rolling, for a normal n and tangents e_k in any direction
/// (contact_directions.hpp):
///
///     drilling    epsilon n . psi
///     rolling     c/mu (n x e_k) . psi
///
/// psi is the rotation of the first side relative to the second over the step, in inertial axes. See
/// sphere_to_face.hpp for the law and its lengths.

#include <picus/element.hpp>
#include <picus/elements/contacts/parts/contact_directions.hpp>

#include <span>

namespace picus {

class RotationRows {
 public:
  RotationRows() = default;
  /// Rows as declared by the law; the lengths are epsilon and c, m.
  RotationRows(const ContactLaw& law, double drilling_radius, double rolling_arm);

  /// Number of rows; they follow those of sliding.
  Index count() const { return drilling_rows_ + rolling_rows_; }
  /// The vector that row i, 0 to count() - 1, multiplies by psi, m.
  Vec3 lever(const ContactDirections& directions, const Vec3& n, Index i) const;
  /// sum p_i lever_i over the rows, the moment on the first side, and its derivative with respect to n. `p` holds the
  /// impulses of all rows of the contact, these last.
  struct Moment {
    Vec3 moment;
    Mat3 gradient;
  };
  Moment moment(const ContactDirections& directions, const Vec3& n, std::span<const double> p) const;

 private:
  Index drilling_rows_ = 0;
  Index rolling_rows_ = 0;
  double drilling_length_ = 0.0;  ///< epsilon, m
  double rolling_length_ = 0.0;   ///< c/mu, m
};

}  // namespace picus
