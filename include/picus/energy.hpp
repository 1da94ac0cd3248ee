#pragma once

/// The energy balance of a run.

#include <picus/mass_matrix.hpp>
#include <picus/state.hpp>
#include <picus/step_forces.hpp>
#include <picus/system.hpp>

#include <span>
#include <vector>

namespace picus {

class Archive;

/// Joules. Work is summed from the start of the run, positive when it adds to the system's energy.
struct Energies {
  double kinetic = 0.0;           ///< v^T M v / 2
  double potential = 0.0;         ///< the sum of the next four, by PotentialKind
  double gravitational = 0.0;     ///< potential of gravity
  double springs = 0.0;           ///< potential of springs and bushings
  double strain = 0.0;            ///< strain energy of deformable bodies
  double other_potential = 0.0;   ///< potential of user forces and all others
  double work_of_loads = 0.0;     ///< work of loads (Force::Traits::is_load) beyond their potentials
  double work_of_dampers = 0.0;   ///< work of all other forces beyond their potentials
  double work_of_motions = 0.0;   ///< work of reactions of driven components and of rheonomic constraints
  double work_of_contacts = 0.0;  ///< sum of the next two: impulse times mean gap rate
  double work_of_impacts = 0.0;   ///< work of normal impulses
  double work_of_friction = 0.0;  ///< work of tangential impulses
  /// kinetic + potential - their initial values - work of loads, dampers, motions and contacts: the energy that the
  /// integrator gained (> 0) or lost. The next three split it by origin, each computed from the formulas of the scheme.
  double balance = 0.0;
  double numerical = 0.0;            ///< gained or dissipated by quadrature and difference formulas
  double work_of_corrections = 0.0;  ///< work of potential forces against corrections of positions
  double work_of_constraints =
      0.0;  ///< work of resting constraints, whose impulses act along the gradients at one instant of the step
  /// balance - numerical - work of corrections and constraints: rounding error where forces are linear, M and G are
  /// constant and equations are solved exactly, otherwise of the order of the scheme.
  double unexplained = 0.0;

  template <class Archive>
  void serialize(Archive& archive) {
    // Fails to compile unless all members are listed.
    auto& [T, V, V_g, V_s, V_e, V_o, loads, dampers, motions, contacts, impacts, friction, balanced, formulas,
           corrections, constraints, rest] = *this;
    archive(T, V, V_g, V_s, V_e, V_o, loads, dampers, motions, contacts, impacts, friction, balanced,
            formulas, corrections, constraints, rest);
  }
};

/// The share of one element, joules.
struct ElementEnergies {
  double kinetic = 0.0;    ///< 1/2 v . M v with the velocities of its nodes
  double potential = 0.0;  ///< Force::potential_energy
  double work = 0.0;       ///< work of its force beyond its potential, since the start
};

/// Work of the impulses of one contact since the start, joules.
struct ContactWorks {
  double impacts = 0.0;   ///< by normal impulses
  double friction = 0.0;  ///< by tangential impulses
};

/// Momentum of all masses, inertial frame. Scalar nodes have no position in space and do not contribute.
struct Momentum {
  Vec3 linear = Vec3::Zero();   ///< sum of p_u, with p = M v, kg m/s
  Vec3 angular = Vec3::Zero();  ///< sum of x cross p_u + R p_Omega, about the origin, kg m2/s
};

/// How one state follows from the previous one: by motion, or as a sequence of static equilibria.
enum class Process : std::uint8_t {
  motion,        ///< dynamics
  quasi_static,  ///< from one equilibrium to the next
};

/// The work done in a step of a motion is that of the impulses that the scheme applied (StepForces), each times the
/// mean v of the velocities at both ends: for constant M their sum is the change of kinetic energy. Integrating the
/// power over time would count work that is not done where velocities vibrate faster than steps resolve.
///
/// The impulse I of potential forces and the change of their potential, -f . d with the mean f of the forces at both
/// ends and the increment d of the step, differ by the energy that the scheme gains,
///
///     I . v - f . d = (I - h f) . v - f . (d - h v)
///
/// of which the part -f . (U - h W/2) belongs to the correction of positions by U and of velocities by W, and the
/// remainder to the formulas of the scheme (`numerical`). Contacts act on G v with the columns G of their impulses,
/// moving constraints on the mean of their rates at both ends, and the impulse on a driven component is that required
/// by its momentum balance. Resting constraints do work only because a scheme evaluates the directions of their
/// impulses at one instant.
///
/// The work in a quasi-static process is the force (mean of both ends) times the displacement of the step; the
/// potential of a load (gravity) that is applied in part is then counted in full, and the missing part, (load factor -
/// 1) times its force, as work of loads.
class EnergyAudit {
 public:
  /// The balance is zero at `start`. `system` must outlive the audit.
  EnergyAudit(const System& system, const State& start, Process process = Process::motion);
  /// To be called when the contacts of the system have changed (System::set_found_contacts). `state` is the one last
  /// added, with the rows of the new contacts.
  void change_contacts(const State& state);
  /// Adds the work done in the step of size h (s) that led to `state`, with the forces of its scheme
  /// (TimeIntegrator::step_forces()); without them by the trapezoidal rule. Allocates nothing.
  void add_step(const State& state, double h, std::span<const StepForces> forces = {});
  /// Energies at `state`, which must be the one last added. Allocates nothing.
  Energies energies(const State& state) const;
  /// The diagonal entry of a component in the mass matrix at the last argument of energies() or momentum(), kg or kg m^2.
  double mass(Index dof) const { return mass_.diagonal(dof); }
  /// Momentum at any state of the system. Allocates nothing.
  Momentum momentum(const State& state) const;
  /// Stores everything that later steps depend on, for checkpoints.
  void serialize(Archive& archive);

  /// The elements that have mass or exert forces.
  static std::vector<const Element*> elements_of(const Model& model);
  /// The elements of elements_of(), in the same order.
  std::span<const Element* const> elements() const { return elements_; }
  /// The share of the i-th of elements() at `state`, the one last added.
  ElementEnergies element_energies(std::size_t i, const State& state) const;
  /// Work of each contact, in the order of System::declared_contacts().
  std::span<const ContactWorks> contact_works() const {
    return std::span(contact_works_).first(system_->declared_contacts().size());
  }
  /// Work of all contacts detected by each set, in the order of Model::contact_sets().
  std::span<const ContactWorks> contact_set_works() const {
    return std::span(contact_works_).subspan(system_->declared_contacts().size());
  }

 private:
  /// A force that does work beyond its potential. Forces beyond the potential, local layout:
  struct WorkRecord {
    const Element* element;
    const Force* force;
    Force::Traits traits;
    std::vector<double> value;   ///< at the end of the last step
    std::vector<double> point;   ///< f_n of StepForces
    std::vector<double> summed;  ///< F_n of StepForces
    double work = 0.0;
  };
  /// A force with a potential, and the member of Energies to which it is added.
  struct Potential {
    const Element* element;
    const Force* force;
    double Energies::*part;
  };
  /// The rows of a detected contact.
  struct FoundRows {
    ContactKey key;
    Index first = 0;
    Index count = 0;
  };
  /// The roles of an element of elements(); null or negative if it does not have one.
  struct Roles {
    const Inertia* inertia = nullptr;
    const Force* force = nullptr;
    std::ptrdiff_t record = -1;
  };
  void initialize_work_records(const State& start);
  void begin_motion(const State& start);
  void list_found_contacts();
  void evaluate(const WorkRecord& record, const Motion& motion, double load_factor,
                std::span<double> value) const;
  void add_part(const StepForces& part, const State& end);
  void begin_part(const StepForces& part);
  void retime_forces(double factor);
  void restart_forces(const ForceRestart& restart);
  void evaluate_forces(const StepForces& part, const State& end);
  double add_works_of_records(const StepForces& part, const State& end);
  void add_gains(const StepForces& part, const State& end, double work_of_records);
  void sum_constraint_impulses(const StepForces& part, const State& end);
  void add_reactions(const StepForces& part, const State& end);
  void add_work_of_driven_components(const StepForces& part, const State& end);
  void add_displacements(const State& state);
  void add_contact(std::size_t contact, const Vector& impulse, double weight, const Vector& path);
  double quasi_static_work_of_constraints(const State& state, double h);
  void add_potentials(const State& state, Energies& energies) const;

  const System* system_;
  Process process_;
  std::vector<Index> driven_dofs_;
  std::vector<WorkRecord> work_records_;
  std::vector<Potential> potentials_;
  ElementLoop potential_loop_;
  std::vector<const Element*> elements_;
  std::vector<Roles> roles_;                 ///< parallel to elements_
  std::vector<ContactWorks> contact_works_;  ///< declared contacts, then contact sets
  double initial_energy_ = 0.0;
  double work_of_motions_ = 0.0;
  double numerical_ = 0.0;
  double work_of_constraints_ = 0.0;
  double work_of_corrections_ = 0.0;

  // Values at the end of the last step.
  Configuration q_;
  Vector velocity_;
  Vector contact_rate_;
  Vector partial_rate_;
  Vector potential_force_;     ///< forces without those of the work records
  Vector point_force_;         ///< f_n of StepForces, all forces
  Vector summed_force_;        ///< F_n
  Vector constraint_force_n_;  ///< the same for lambda, row layout
  Vector summed_constraint_;
  Vector point_reaction_;  ///< the same for G^T lambda
  Vector summed_reaction_;
  Vector contact_force_n_;  ///< the same for contact forces, and in a quasi-static process their value
  Vector summed_contact_;
  Gradients G_, contact_G_;  ///< the second only with driven components

  // Values at the end of the last step of a quasi-static process.
  double constraint_power_ = 0.0;
  Vector reaction_;

  // Buffers. Natural layout:
  Vector mean_velocity_, displacement_, correction_, impulse_, reaction_impulse_, end_force_, new_force_,
      momentum_change_;
  Vector path_, new_rate_, row_impulse_, contact_impulse_;
  Gradients new_G_, new_contact_G_;
  std::vector<char> is_massless_;       ///< components without mass, natural layout
  std::vector<FoundRows> found_rows_;   ///< of the detected contacts, ascending
  mutable Vector momentum_;             ///< buffer
  mutable MassMatrix mass_;             ///< M at the configuration last evaluated
  mutable std::vector<double> values_;  ///< parallel to potentials_
};

}  // namespace picus
