#include <picus/solvers/integrators/alpha_scheme.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

#include <fmt/format.h>

namespace picus {

AlphaScheme::AlphaScheme(std::string_view name, const DecoupledNsgaOptions& options,
                         const GeneralizedAlpha& alpha, const VelocityLevelOptions& level)
    : VelocityLevelScheme(options, level), name_(name), alpha_(alpha) {}

std::unique_ptr<AlphaScheme> AlphaScheme::chen(const DecoupledNsgaOptions& options,
                                               const VelocityLevelOptions& level) {
  const auto alpha = GeneralizedAlpha::with_spectral_radius(options.rho_inf);
  return std::unique_ptr<AlphaScheme>(new AlphaScheme("chen", options, alpha, level));
}

std::unique_ptr<AlphaScheme> AlphaScheme::newmark(std::string_view name, const DecoupledNsgaOptions& options,
                                                  double gamma, double beta,
                                                  const VelocityLevelOptions& level) {
  require_option(gamma >= 0.5, "gamma", gamma, "at least 0.5");
  require_option(beta >= gamma / 2, "beta", beta, "at least gamma / 2");
  const auto alpha = GeneralizedAlpha::newmark(gamma, beta);
  return std::unique_ptr<AlphaScheme>(new AlphaScheme(name, options, alpha, level));
}

std::unique_ptr<AlphaScheme> AlphaScheme::hht(const DecoupledNsgaOptions& options, double alpha,
                                              const VelocityLevelOptions& level) {
  require_option(alpha >= 0 && alpha <= 1.0 / 3, "alpha", alpha, "in [0, 1/3]");
  return std::unique_ptr<AlphaScheme>(new AlphaScheme("hht", options, GeneralizedAlpha::hht(alpha), level));
}

TextEntries AlphaScheme::options() const {
  TextEntries entries = VelocityLevelScheme::options();
  entries.emplace_back("alpha_m", fmt::format("{}", alpha_.alpha_m));
  entries.emplace_back("alpha_f", fmt::format("{}", alpha_.alpha_f));
  entries.emplace_back("gamma", fmt::format("{}", alpha_.gamma));
  entries.emplace_back("beta", fmt::format("{}", alpha_.beta));
  entries.emplace_back("smooth", contacts_.smooth ? "yes" : "no");
  entries.emplace_back("position", contacts_.at_position ? "yes" : "no");
  return entries;
}

void AlphaScheme::begin_step(const State& state, double h, DifferenceFormulas& formulas) const {
  predict_motion(alpha_, h, state.v, state.acceleration, state.auxiliary, formulas.smooth);
  formulas.w_rate = contacts_.smooth ? formulas.smooth.dq_own : h / 2;
  formulas.impulses_accelerate = contacts_.smooth;
  formulas.closes_gaps = contacts_.at_position;
}

void AlphaScheme::predict_gaps(const State& /*state*/, double /*h*/, const Vector& /*now*/,
                               const Vector& start, Vector& gaps) const {
  gaps = start;
  if (contacts_.at_position) gaps.setConstant(-1.0);  // the condition itself decides
}

void AlphaScheme::advance_auxiliary(const Vector& acceleration_n, const Vector& acceleration,
                                    Vector& auxiliary) const {
  picus::advance_auxiliary(alpha_, acceleration_n, acceleration, auxiliary);
}

}  // namespace picus
