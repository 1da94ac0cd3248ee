#pragma once

#include <picus/solvers/integrators/scheme_workspace.hpp>

#include <memory>
#include <string_view>

namespace picus {

/// A base scheme of mixed timestepping: one step of the motion without impacts, bilateral constraints and the contacts
/// that are closed at t_n held at velocity level by forces (Rezaei and Schindler, sections 2.4 to 2.7).
class MixedBase {
 public:
  /// What a step gives beside data.q, data.dq and the gradients at t_{n+1}.
  struct Motion {
    explicit Motion(const System& system);
    Vector v, acceleration, auxiliary;  ///< for the State
    Vector constraint_force;            ///< lambda at t_{n+1}
    Vector contact_impulse;             ///< h times the contact forces at t_{n+1}
    Vector reaction;                    ///< natural layout
    std::vector<ContactState> contact_state;
  };

  virtual ~MixedBase() = default;
  /// Whether the step contains the impact law, as in Moreau's rule: nothing is left to correct.
  virtual bool has_impact_law() const { return false; }

  /// Has the linear solvers choose their pivots for a step from `state`.
  virtual void start(const State& state) = 0;
  /// data.q_n, v_n and h are set; data.t is at t_{n+1} when it returns. Contacts that are not held carry no force.
  /// Throws SolverError.
  virtual void step(const State& state, const std::vector<char>& held, Motion& motion,
                    StepReport& report) = 0;
};

enum class MixedBaseKind : std::uint8_t {
  generalized_alpha,
  bathe,            ///< trapezoidal rule, then three-point backward Euler
  ed_alpha,         ///< two stages of a time-discontinuous Galerkin method
  moreau_midpoint,  ///< explicit forces at the midpoint, all contact impulses by the impact law
  half_explicit     ///< explicit trapezoidal rule
};

/// As typed, e.g. "ed-alpha".
std::string_view name_of(MixedBaseKind base);

/// Whether the base has a spectral radius at infinite frequency to choose.
bool has_rho_inf(MixedBaseKind base);

/// What the scheme has beside the options of all.
struct MixedOptions {
  MixedBaseKind base = MixedBaseKind::generalized_alpha;
  double alpha = 1.0 / 3.0;  ///< of ed_alpha, in (0, 1]: damping sets in at higher frequencies as it falls
  double rho_inf =
      0.8;  ///< of generalized_alpha and ed_alpha: spectral radius at infinite frequency, in [0, 1]

  /// All of them as parameters.
  static const ParameterTable<MixedOptions>& table();
};

/// Which contacts the step holds by forces: those whose gap is not positive at t_n, except one without force that
/// approaches, which is still to hit (at a start). `data` holds the speeds of `state`.
void find_held(const StepData& data, const State& state, Vector& gaps, std::vector<char>& held);

/// `scheme` must outlive the base.
std::unique_ptr<MixedBase> make_mixed_base(SchemeWorkspace& scheme, const MixedOptions& own);

}  // namespace picus
