#pragma once

#include <picus/solvers/integrators/generalized_alpha.hpp>
#include <picus/solvers/integrators/velocity_level_scheme.hpp>

namespace picus {

/// Treatments of contacts that the sources advise against (Chen, figure 4; Acary's slides, a first naive approach).
struct AlphaContacts {
  /// Impulses enter the smooth formulas as forces: dq by beta, and a_{n+1} for the next step. With Newmark's formulas a
  /// normal velocity v is then followed by e v + (1 - gamma)/gamma (1 + e) v: consistent for gamma = 1 only.
  bool smooth = false;
  /// g >= 0 complementary to P at t_{n+1} in place of the condition on rates. The velocity after an impact depends on
  /// its instant within the step.
  bool at_position = false;

  /// Its members as parameters.
  static const ParameterTable<AlphaContacts>& table();
};

/// Options of `chen`.
struct ChenOptions {
  /// Spectral radius at infinite frequency, in [0, 1]; 1: no dissipation, 0: annihilation.
  double rho_inf = 0.8;
  VelocityLevelOptions level;  ///< options of all schemes at velocity level
  AlphaContacts contacts;      ///< treatment of contacts

  /// All options as parameters.
  static const ParameterTable<ChenOptions>& table();
};

/// Options of `newmark`, and with gamma = 1 and beta = 0.5625 those of `newmark-implicit`.
struct NewmarkOptions {
  double gamma = 0.5;          ///< 0.5 to 10
  double beta = 0.25;          ///< gamma / 2 to 10
  VelocityLevelOptions level;  ///< options of all schemes at velocity level
  AlphaContacts contacts;      ///< treatment of contacts

  /// All options as parameters.
  static const ParameterTable<NewmarkOptions>& table();
};

/// Options of `hht`.
struct HhtOptions {
  double alpha = 0.05;         ///< weight of the forces at t_n, in [0, 1/3]; 0: trapezoidal rule
  VelocityLevelOptions level;  ///< options of all schemes at velocity level
  AlphaContacts contacts;      ///< treatment of contacts

  /// All options as parameters.
  static const ParameterTable<HhtOptions>& table();
};

/// The nonsmooth generalized-alpha scheme of Chen, Acary, Virlez and Bruels (2013), eqs. 21 to 29:
///
///     (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) vd + alpha_f vd_n
///     v~ = v_n + h (1 - gamma) a_n + h gamma a_{n+1},                          v = v~ + W
///     dq = h v_n + h^2 (1/2 - beta) a_n + h^2 beta a_{n+1} + h/2 W
///
/// A contact may close if its gap is not positive at the start of the iteration (vd = vd_n, W = 0). Without constraints
/// and contacts the scheme is the generalized-alpha method. The nonsmooth schemes of Newmark (alpha_m = alpha_f = 0)
/// and of Hilber, Hughes and Taylor (alpha_m = 0) of Acary's slides, eq. 52, are special cases.
class AlphaScheme : public VelocityLevelScheme {
 public:
  /// The scheme of Chen and others. This and the next two functions throw OptionError for an option out of range.
  static std::unique_ptr<AlphaScheme> chen(const SchemeOptions& options, const ChenOptions& own = {});
  /// The scheme of Newmark, with the name "newmark" or "newmark-implicit".
  static std::unique_ptr<AlphaScheme> newmark(std::string_view name, const SchemeOptions& options,
                                              const NewmarkOptions& own = {});
  /// The scheme of Hilber, Hughes and Taylor.
  static std::unique_ptr<AlphaScheme> hht(const SchemeOptions& options, const HhtOptions& own = {});

  std::string_view name() const override { return name_; }
  TextEntries options() const override { return texts_; }

 private:
  template <class P>
  AlphaScheme(std::string_view name, const SchemeOptions& options, const P& own,
              const GeneralizedAlpha& alpha);
  void begin_step(const State& state, double h, DifferenceFormulas& formulas) const override;
  void predict_gaps(const State& state, double h, const Vector& now, const Vector& start,
                    Vector& gaps) const override;
  StepForces quadrature(double h) const override { return alpha_.step_forces(h); }
  void advance_auxiliary(const Vector& acceleration_n, const Vector& acceleration,
                         Vector& auxiliary) const override;

  std::string_view name_;
  GeneralizedAlpha alpha_;
  AlphaContacts contacts_;
  TextEntries texts_;  ///< TimeIntegrator::options()
};

}  // namespace picus
