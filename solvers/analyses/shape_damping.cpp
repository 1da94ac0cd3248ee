#include <picus/solvers/analyses/shape_damping.hpp>

namespace picus::solvers {

Eigen::MatrixXd project_damping(const System& system, const Eigen::MatrixXd& shapes,
                                const Vector& eigenvalues) {
  Eigen::MatrixXd D(shapes.cols(), shapes.cols());
  if (D.size() == 0) return D;
  Vector forward(shapes.rows()), backward(shapes.rows());
  const Configuration& q = system.model().initial_configuration();
  for (Index k = 0; k < shapes.cols(); ++k) {
    const Vector v = shapes.col(k);
    const Vector opposite = -v;
    forward.setZero();
    backward.setZero();
    system.add_forces({q, v, 0.0}, 1.0, forward);
    system.add_forces({q, opposite, 0.0}, 1.0, backward);
    D.col(k) = -0.5 * shapes.transpose() * (forward - backward);
  }
  D = (0.5 * (D + D.transpose())).eval();
  // Forces at rest cancel up to rounding.
  if (D.cwiseAbs().maxCoeff() <= 1e-14 * eigenvalues.cwiseAbs().maxCoeff()) D.setZero();
  return D;
}

}  // namespace picus::solvers
