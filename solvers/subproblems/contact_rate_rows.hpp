#pragma once

#include <picus/chart.hpp>
#include <picus/system.hpp>

#include <span>
#include <vector>

namespace picus {

/// Derivative of the contact rates G_c(q) v with respect to an unknown z that changes velocity and position:
///
///     d(G_c v)/dz = v_rate G_c + dq_rate d(G_c v)/dq T        dv = v_rate dz,  d(dq) = dq_rate dz
///
/// T is the tangent of the chart; the second term is v^T d(G^T e_i)/dq, from the contacts' curvatures.
class ContactRateRows {
 public:
  explicit ContactRateRows(const System& system);

  /// `G` are the contact gradients at q.
  const Gradients& evaluate(const Configuration& q, const Vector& v, const Gradients& G, double v_rate,
                            double dq_rate, const Chart& chart) {
    return evaluate(q, v, G, v_rate, dq_rate, chart, all_contacts_);
  }
  /// The same for some contacts; the rows of others keep their values.
  const Gradients& evaluate(const Configuration& q, const Vector& v, const Gradients& G, double v_rate,
                            double dq_rate, const Chart& chart, std::span<const std::size_t> contacts);

 private:
  const System* system_;
  Gradients rows_;
  std::vector<std::size_t> all_contacts_;
  std::vector<double> curvature_, rate_jacobian_, local_v_, unit_;
};

}  // namespace picus
