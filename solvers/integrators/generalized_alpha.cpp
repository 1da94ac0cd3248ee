#include <picus/solvers/integrators/generalized_alpha.hpp>

namespace picus {

void predict_motion(const GeneralizedAlpha& alpha, double h, const Vector& v_n, const Vector& acceleration_n,
                    const Vector& auxiliary_n, StageFormulas& formulas) {
  const auto& [alpha_m, alpha_f, gamma, beta] = alpha;
  StageFormulas& f = formulas;
  f.time = h;
  f.force_rate = alpha.force_rate(h);
  f.dq_own = h * beta / gamma;
  f.v_0 = (alpha_f * acceleration_n - alpha_m * auxiliary_n) / (1 - alpha_m);  // a_{n+1} without vd
  f.dq_0 = h * v_n + h * h * (0.5 - beta) * auxiliary_n + h * h * beta * f.v_0;
  f.v_0 = v_n + h * (1 - gamma) * auxiliary_n + h * gamma * f.v_0;
}

void advance_auxiliary(const GeneralizedAlpha& alpha, const Vector& acceleration_n,
                       const Vector& acceleration, Vector& auxiliary) {
  const auto& [alpha_m, alpha_f, gamma, beta] = alpha;
  auxiliary = ((1 - alpha_f) * acceleration + alpha_f * acceleration_n - alpha_m * auxiliary) / (1 - alpha_m);
}

}  // namespace picus
