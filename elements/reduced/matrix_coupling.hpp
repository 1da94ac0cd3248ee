#pragma once

/// The parts of given mass, stiffness and damping matrices that belong to one node or couple two,
///
///     V = d_A . K d_B   or   1/2 d_A . K d_A,      f = -J^T (K d + D J v),      d = (x - x_0, log(R_0^T R))
///
/// with J = dd/dq and d = 0 in the initial configuration. It is linear in displacements and small rotations: a
/// structure of such elements does not follow large rotations, but a ReducedBody made from it does.
/// add_matrix_part() creates all couplings of a structure.

#include <picus/element.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus {

class MatrixCoupling : public Element, public Inertia, public Force {
 public:
  struct Parameters {
    std::string name;
    Node a;  ///< a frame or a point
    Node b;  ///< another one, or the same: the block on the diagonal
    /// The blocks M_ab, K_ab and D_ab, with a row for each velocity component of a and a column for each of b, in their
    /// order (SI units); without rows: zero. On the diagonal they are symmetric.
    Eigen::MatrixXd mass = {};
    Eigen::MatrixXd stiffness = {};  ///< K_ab
    Eigen::MatrixXd damping = {};    ///< D_ab
  };
  MatrixCoupling(const Parameters& parameters, const Model& model);

  void mass(const Configuration& q, std::span<double> M) const override;
  bool has_constant_mass() const override { return true; }

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  void conservative_force(const Configuration& q, double t, std::span<double> f) const override;
  double potential_energy(const Configuration& q, double t) const override;

 private:
  struct End {
    Node node;
    Vec3 position;
    Mat3 rotation;
  };
  /// At most two frames.
  using Local = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 12, 1>;
  /// d, and J, which is the identity except for rotations.
  struct Kinematics;

  Kinematics kinematics(const Configuration& q) const;
  Local local_velocity(const Vector& v) const;
  /// The full symmetric matrix of a block, times a local vector.
  Local times(const Eigen::MatrixXd& block, const Local& x) const;
  void add_transformed(const Eigen::MatrixXd& block, const Kinematics& at, std::span<double> K) const;
  bool is_diagonal() const { return ends_.size() == 1; }

  std::vector<End> ends_;
  Eigen::MatrixXd mass_, stiffness_, damping_;
};

}  // namespace picus
