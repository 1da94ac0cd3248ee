#include <picus/solvers/integrators/chen_nsga.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

#include <fmt/format.h>

namespace picus {

ChenNsga::ChenNsga(const DecoupledNsgaOptions& options, bool projects, const GeneralizedAlpha& alpha,
                   std::string_view name)
    : VelocityLevelScheme(options, projects), alpha_(alpha), name_(name) {}

ChenNsga::ChenNsga(const DecoupledNsgaOptions& options, bool projects)
    : ChenNsga(options, projects, GeneralizedAlpha::with_spectral_radius(options.rho_inf), "chen") {}

std::unique_ptr<ChenNsga> ChenNsga::newmark(const DecoupledNsgaOptions& options, double gamma, double beta,
                                            bool projects) {
  require_option(gamma >= 0.5, "gamma", gamma, "at least 0.5");
  require_option(beta >= gamma / 2, "beta", beta, "at least gamma / 2");
  const GeneralizedAlpha alpha{.alpha_m = 0, .alpha_f = 0, .gamma = gamma, .beta = beta};
  return std::unique_ptr<ChenNsga>(new ChenNsga(options, projects, alpha, "newmark-implicit"));
}

TextEntries ChenNsga::options() const {
  TextEntries entries = VelocityLevelScheme::options();
  entries.emplace_back("alpha_m", fmt::format("{}", alpha_.alpha_m));
  entries.emplace_back("alpha_f", fmt::format("{}", alpha_.alpha_f));
  entries.emplace_back("gamma", fmt::format("{}", alpha_.gamma));
  entries.emplace_back("beta", fmt::format("{}", alpha_.beta));
  return entries;
}

void ChenNsga::begin_step(const State& state, double h, DifferenceFormulas& formulas) const {
  const auto& [alpha_m, alpha_f, gamma, beta] = alpha_;
  const double a_rate = (1 - alpha_f) / (1 - alpha_m);
  const Vector& a_n = state.auxiliary;
  formulas.v_rate = h * gamma * a_rate;
  formulas.dq_rate = h * h * beta * a_rate;
  formulas.w_rate = h / 2;
  formulas.v_0 = (alpha_f * state.acceleration - alpha_m * a_n) / (1 - alpha_m);  // a_{n+1} - a_rate vd
  formulas.dq_0 = h * state.v + h * h * (0.5 - beta) * a_n + h * h * beta * formulas.v_0;
  formulas.v_0 = state.v + h * (1 - gamma) * a_n + h * gamma * formulas.v_0;
}

void ChenNsga::predict_gaps(const State& /*state*/, double /*h*/, const Vector& /*now*/, const Vector& start,
                            Vector& gaps) const {
  gaps = start;
}

Vector ChenNsga::auxiliary(const Vector& auxiliary_n, const Vector& acceleration_n,
                           const Vector& acceleration) const {
  const auto& [alpha_m, alpha_f, gamma, beta] = alpha_;
  return ((1 - alpha_f) * acceleration + alpha_f * acceleration_n - alpha_m * auxiliary_n) / (1 - alpha_m);
}

}  // namespace picus
