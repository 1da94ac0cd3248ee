#include <picus/solvers/integrators/alpha_scheme.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

#include <algorithm>

namespace picus {

template <class P>
AlphaScheme::AlphaScheme(std::string_view name, const SchemeOptions& options, const P& own,
                         const GeneralizedAlpha& alpha)
    : VelocityLevelScheme(options, own.level),
      name_(name),
      alpha_(alpha),
      contacts_(own.contacts),
      texts_(option_texts(options, own)) {
  require_valid(options, own);
  const auto add = [&](std::string_view coefficient, double value) {
    if (std::ranges::find(texts_, coefficient, &TextEntries::value_type::first) == texts_.end())
      texts_.emplace_back(coefficient, number_text(value));
  };
  add("alpha_m", alpha.alpha_m);
  add("alpha_f", alpha.alpha_f);
  add("gamma", alpha.gamma);
  add("beta", alpha.beta);
}

std::unique_ptr<AlphaScheme> AlphaScheme::chen(const SchemeOptions& options, const ChenOptions& own) {
  const auto alpha = GeneralizedAlpha::with_spectral_radius(own.rho_inf);
  return std::unique_ptr<AlphaScheme>(new AlphaScheme("chen", options, own, alpha));
}

std::unique_ptr<AlphaScheme> AlphaScheme::newmark(std::string_view name, const SchemeOptions& options,
                                                  const NewmarkOptions& own) {
  const auto alpha = GeneralizedAlpha::newmark(own.gamma, own.beta);
  std::unique_ptr<AlphaScheme> scheme(new AlphaScheme(name, options, own, alpha));
  require_option(own.beta >= own.gamma / 2, "beta", own.beta, "at least gamma / 2");
  return scheme;
}

std::unique_ptr<AlphaScheme> AlphaScheme::hht(const SchemeOptions& options, const HhtOptions& own) {
  return std::unique_ptr<AlphaScheme>(new AlphaScheme("hht", options, own, GeneralizedAlpha::hht(own.alpha)));
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
  if (contacts_.at_position) gaps.setConstant(-1.0);  // all contacts are candidates
}

void AlphaScheme::advance_auxiliary(const Vector& acceleration_n, const Vector& acceleration,
                                    Vector& auxiliary) const {
  picus::advance_auxiliary(alpha_, acceleration_n, acceleration, auxiliary);
}

}  // namespace picus
