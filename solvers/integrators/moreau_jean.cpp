#include <picus/solvers/integrators/moreau_jean.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

#include <fmt/format.h>

namespace picus {

MoreauJean::MoreauJean(const DecoupledNsgaOptions& options, const MoreauJeanOptions& own)
    : VelocityLevelScheme(options, own.projects), own_(own) {
  require_option(own.theta > 0 && own.theta <= 1, "theta", own.theta, "in (0, 1]");
  require_option(own.prediction >= 0 && own.prediction <= 1, "gamma", own.prediction, "in [0, 1]");
}

TextEntries MoreauJean::options() const {
  TextEntries entries = VelocityLevelScheme::options();
  entries.emplace_back("theta", fmt::format("{}", own_.theta));
  entries.emplace_back("gamma", fmt::format("{}", own_.prediction));
  return entries;
}

void MoreauJean::begin_step(const State& state, double h, DifferenceFormulas& formulas) const {
  const double step = h * own_.theta;
  formulas.v_rate = step;
  formulas.dq_rate = step * step;
  formulas.w_rate = step;
  formulas.v_0 = state.v + (h - step) * state.acceleration;
  formulas.dq_0 = (h - step) * state.v + step * formulas.v_0;
}

void MoreauJean::predict_gaps(const State& state, double h, const Vector& now, const Vector& /*start*/,
                              Vector& gaps) const {
  gaps = now + own_.prediction * h * state.contact_rate;
}

Vector MoreauJean::auxiliary(const Vector& /*auxiliary_n*/, const Vector& /*acceleration_n*/,
                             const Vector& acceleration) const {
  return acceleration;
}

}  // namespace picus
