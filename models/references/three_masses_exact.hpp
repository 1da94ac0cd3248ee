#pragma once

/// The exact motion of a chain of three masses between a driven end and a wall (models/three_masses.hpp), by modal
/// analysis:
///
///     m u'' + K u = f + d sin(omega t),    u(0) = u'(0) = 0
///
///     stiff spring k_1 to the wall               mass 3 on the wall (u_3 = 0)
///         [ 2 k_2   -k_2          0     ]
///     K = [ -k_2    2 k_2        -k_2   ]        its upper left 2 x 2 block
///         [  0      -k_2     k_2 + k_1  ]
///     f = (0, 0, P),   d = (k_2, 0, 0)           f = 0,   d = (k_2, 0)
///
/// With K phi_j = lambda_j phi_j, |phi_j| = 1, w_j^2 = lambda_j/m, the modal coordinates are
///
///     q_j = f_j/lambda_j (1 - cos w_j t) + d_j/(lambda_j - m omega^2) (sin omega t - omega/w_j sin w_j t)

#include <picus/types.hpp>

namespace picus::models {

class ThreeMassesExact {
 public:
  struct Parameters {
    double mass;       ///< m, kg
    double soft;       ///< k_2, N/m
    double stiff;      ///< k_1, N/m; irrelevant if mass 3 is on the wall
    double frequency;  ///< omega, rad/s
    double preload;    ///< P on mass 3, towards the wall, N
    bool on_wall;      ///< whether mass 3 is fixed; the wall may pull
  };
  /// Throws ModelError if the drive frequency is an eigenfrequency of the chain: such a motion grows without bound.
  explicit ThreeMassesExact(const Parameters& parameters);

  /// For mass 1, 2 or 3.
  double position(Index mass, double t) const;      ///< m
  double velocity(Index mass, double t) const;      ///< m/s
  double acceleration(Index mass, double t) const;  ///< m/s2
  /// The force with which the wall, or the stiff spring, pushes mass 3 back, N.
  double wall_force(double t) const;
  /// A lower bound of wall_force(), N; it need not be tight.
  double least_wall_force() const;
  /// In ascending order, rad/s.
  Eigen::VectorXd eigenfrequencies() const { return w_; }

 private:
  Parameters p_;
  Eigen::MatrixXd modes_;   ///< as columns
  Eigen::VectorXd w_;       ///< w_j
  Eigen::VectorXd static_;  ///< f_j/lambda_j
  Eigen::VectorXd driven_;  ///< d_j/(lambda_j - m omega^2)
};

}  // namespace picus::models
