#pragma once

#include <picus/solvers/integrators/generalized_alpha.hpp>
#include <picus/solvers/integrators/velocity_level_scheme.hpp>

namespace picus {

/// The nonsmooth generalized-alpha scheme of Chen, Acary, Virlez and Bruels (2013), eqs. 21 to 29:
///
///     (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) vd + alpha_f vd_n
///     v~ = v_n + h (1 - gamma) a_n + h gamma a_{n+1},                          v = v~ + W
///     dq = h v_n + h^2 (1/2 - beta) a_n + h^2 beta a_{n+1} + h/2 W
///
/// A contact may close when its gap is not positive where the iteration starts (vd = vd_n). Without constraints
/// and contacts it is the generalized-alpha method. Newmark's family (alpha_m = alpha_f = 0) is a special case.
class ChenNsga : public VelocityLevelScheme {
 public:
  /// With the coefficients of the spectral radius options.rho_inf.
  ChenNsga(const DecoupledNsgaOptions& options, bool projects);
  /// Newmark with gamma >= 1/2 and beta >= gamma/2 (unconditionally stable); OptionError otherwise. rho_inf is not
  /// used.
  static std::unique_ptr<ChenNsga> newmark(const DecoupledNsgaOptions& options, double gamma, double beta,
                                           bool projects);

  std::string_view name() const override { return name_; }
  TextEntries options() const override;

 private:
  ChenNsga(const DecoupledNsgaOptions& options, bool projects, const GeneralizedAlpha& alpha,
           std::string_view name);
  void begin_step(const State& state, double h, DifferenceFormulas& formulas) const override;
  void predict_gaps(const State& state, double h, const Vector& now, const Vector& start,
                    Vector& gaps) const override;
  Vector auxiliary(const Vector& auxiliary_n, const Vector& acceleration_n,
                   const Vector& acceleration) const override;

  GeneralizedAlpha alpha_;
  std::string_view name_;
};

}  // namespace picus
