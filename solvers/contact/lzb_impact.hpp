#pragma once

/// Impacts of several contacts after Liu, Zhao and Brogliato (Proc. R. Soc. A 464 (2008) 3193 and 465 (2009) 1;
/// Nguyen and Brogliato 2014). Contacts are compressed by x and give the force F = K x^eta; with the energy
/// E = K x^(eta+1) / (eta+1)
///
///     dP_i / dP_j = F_i / F_j = (K_i/K_j)^(1/(eta+1)) (E_i/E_j)^(eta/(eta+1)),   du = W dP
///
/// at frozen positions, so that only ratios of stiffnesses matter. While a contact recovers, x decreases by the motion
/// over e^2: it gives back the fraction e^2 of the energy (Stronge's coefficient, the bi-stiff law). Its friction obeys
/// Coulomb's law at every instant. The equations dx/dt = -u_N and dP/dt = F are integrated, whose quotient is the law
/// above; separated surfaces come into contact again when they have approached by the distance of their separation.
///
/// The impulses of a step of time follow from the means F = |dE/dx| over the step and from the mean rates
/// u + W P / 2 (discrete gradients, of second order). The kinetic energy then changes exactly by the energy that
/// contacts absorb or give back and by the work of friction, which is negative: no step gains energy. Steps end where a
/// contact changes from compression to recovery.

#include <picus/solvers/contact/impact.hpp>

namespace picus::solvers {

struct LzbReport {
  bool ended = false;  ///< no contact is compressed or approaches; otherwise the limit on steps was reached
  int steps = 0;
};

class LzbImpact {
 public:
  /// Computes the impulses P of an impact with the exponent eta >= 1. An impact that has not ended at the limit on
  /// steps is terminated: the energy that its contacts would still give back is lost.
  LzbReport solve(const Impact& impact, double exponent, Vector& P);

 private:
  /// A contact during the impact.
  struct Contact {
    double x = 0.0;         ///< compression, times a length that is arbitrary
    double distance = 0.0;  ///< of separated surfaces
    double rest = 0.0;      ///< e^2
    double stiffness = 1.0;
    double row_sum = 0.0;  ///< of |W| over normal rows, 1/kg
  };

  void begin(const Impact& impact, double exponent);
  bool has_ended() const;
  /// Moves surfaces that are apart until the first two touch, if none is compressed.
  void fly();
  double step_size() const;
  /// Solves for the impulses of a step; P_ holds a first guess.
  void solve_step(double dt);
  /// Friction in some rows of a contact; returns its change as a rate.
  double slide(Index first, Index rows, double bound);
  /// A step that ends where the first contact changes from compression to recovery, at most `dt`.
  double solve_step_to_turn(double dt);
  double solve_normal(const Contact& contact, double motion, double compliance, double dt) const;
  double largest_turning_rate();
  void commit(double dt);
  double energy(const Contact& contact, double x) const;
  double force(const Contact& contact, double x) const;
  /// Mean force for a compression by `motion`; updates `x` and the distance.
  double mean_force(const Contact& contact, double motion, double& x, double& distance) const;

  const Impact* impact_ = nullptr;
  double exponent_ = 1.5;
  double speed_ = 0.0;      ///< of approach, before
  bool is_wedged_ = false;  ///< rates did not change in the last step
  std::vector<Contact> contacts_;
  Vector u_, u_end_, P_;
};

}  // namespace picus::solvers
