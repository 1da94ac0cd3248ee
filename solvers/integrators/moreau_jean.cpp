#include <picus/solvers/integrators/moreau_jean.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

namespace picus {

MoreauJean::MoreauJean(const SchemeOptions& options, const MoreauJeanOptions& own)
    : VelocityLevelScheme(options, own.level), own_(own) {
  require_valid(options, own);
  if (own.dissipates) require_option(own.theta >= 0.5, "theta", own.theta, "at least 0.5 to dissipate");
}

TextEntries MoreauJean::options() const {
  TextEntries entries = option_texts(options_, own_);
  if (own_.dissipates) std::erase_if(entries, [](const auto& entry) { return entry.first == "gamma"; });
  return entries;
}

void MoreauJean::begin_step(const State& state, double h, DifferenceFormulas& formulas) const {
  const double weight = own_.dissipates ? 0.5 : own_.theta;  // weight of v in dq
  StageFormulas& smooth = formulas.smooth;
  formulas.w_rate = h * weight;
  smooth.time = h;
  smooth.force_rate = h * own_.theta;
  smooth.dq_own = formulas.w_rate;
  smooth.v_0 = state.v + (h - smooth.force_rate) * state.acceleration;
  smooth.dq_0 = (h - formulas.w_rate) * state.v + formulas.w_rate * smooth.v_0;
}

void MoreauJean::predict_gaps(const State& state, double h, const Vector& now, const Vector& start,
                              Vector& gaps) const {
  if (own_.dissipates) {
    gaps = start;
  } else {
    gaps = now + own_.prediction * h * state.contact_rate;
  }
}

void MoreauJean::advance_auxiliary(const Vector& /*acceleration_n*/, const Vector& acceleration,
                                   Vector& auxiliary) const {
  auxiliary = acceleration;
}

}  // namespace picus
