#pragma once

#include <picus/solvers/integrators/scheme_workspace.hpp>

#include <memory>
#include <string_view>

namespace picus {

/// A base scheme of mixed timestepping: one step of the motion without impacts, in which bilateral constraints and the
/// contacts closed at t_n are enforced at velocity level by forces (Rezaei and Schindler, sections 2.4 to 2.7).
class MixedBase {
 public:
  /// Results of a step in addition to data.q, data.dq and the gradients at t_{n+1}.
  struct Motion {
    explicit Motion(const System& system);
    Vector v, acceleration, auxiliary;  ///< for the State
    Vector constraint_force;            ///< lambda at t_{n+1}
    Vector contact_impulse;             ///< h times the contact forces at t_{n+1}
    Vector inner_impulse;               ///< impulses of contact forces at stages before the end
    Vector reaction;                    ///< natural layout
    std::vector<ContactState> contact_state;
    StepForces forces;     ///< quadrature of the step; its reactions are the next three and constraint_force
    Vector contact_force;  ///< of the quadrature at t_{n+1}, N
    Vector constraint_impulses;  ///< impulses of constraints besides the quadrature, row layout, N s
    Vector contact_impulses;     ///< the same of contacts
  };

  virtual ~MixedBase() = default;
  /// Whether the step includes the impact law, as in Moreau's rule: no correction by impacts is needed.
  virtual bool has_impact_law() const { return false; }
  /// Whether a step depends on the contact forces of the last one, by its accelerations.
  virtual bool carries_contact_forces() const { return true; }

  /// Makes the linear solvers choose their pivots for a step from `state`.
  virtual void start(const State& state) = 0;
  /// Before the call data.q_n, v_n and h are set; on return data.t is t_{n+1}. Only the contacts in `active` (those
  /// treated as closed) carry forces. Throws SolverError.
  virtual void step(const State& state, const std::vector<char>& active, Motion& motion,
                    StepReport& report) = 0;
};

enum class MixedBaseKind : std::uint8_t {
  generalized_alpha,
  bathe,            ///< trapezoidal rule, then three-point backward Euler
  ed_alpha,         ///< two stages of a time-discontinuous Galerkin method
  moreau_midpoint,  ///< explicit forces at the midpoint, all contact impulses by the impact law
  half_explicit     ///< explicit trapezoidal rule with implicit reactions
};

/// As typed, e.g. "ed-alpha".
std::string_view name_of(MixedBaseKind base);

/// Whether the base has the spectral radius at infinite frequency as a parameter.
bool has_rho_inf(MixedBaseKind base);

/// Options of the scheme in addition to SchemeOptions.
struct MixedOptions {
  MixedBaseKind base = MixedBaseKind::generalized_alpha;
  /// Of ed_alpha, in (0, 1]: the smaller, the higher the frequency at which damping sets in.
  double alpha = 1.0 / 3.0;
  double rho_inf =
      0.8;  ///< of generalized_alpha and ed_alpha: spectral radius at infinite frequency, in [0, 1]

  /// All options as parameters.
  static const ParameterTable<MixedOptions>& table();
};

/// Finds the contacts that the step treats as closed (active): those whose gap is not positive at t_n, except
/// approaching ones without force, whose impact is still to come (at a start). `data` contains the speeds of `state`.
void find_active_contacts(const StepData& data, const State& state, Vector& gaps, std::vector<char>& active);

/// `scheme` must outlive the base.
std::unique_ptr<MixedBase> make_mixed_base(SchemeWorkspace& scheme, const MixedOptions& own);

}  // namespace picus
