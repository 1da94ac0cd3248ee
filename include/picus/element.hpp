#pragma once

/// The contract of an element. An element is formulated in terms of configuration, velocity, acceleration and time
/// only; a time step, the coefficients of a scheme and the chart in which a step is solved never appear in it. It
/// declares its nodes and plays one or more of four roles by deriving from Inertia, Force, BilateralConstraint and
/// Contact in addition to Element.
///
/// Local layout: the velocity components of the element's nodes one after another in the order of nodes(),
/// all of them (fixed ones too; the assembler drops what is not needed). dof_count() is their number n.
/// Matrices are written column by column into storage that the caller owns, with as many rows as stated.
/// Storage is zero when passed to an element; elements add to it or overwrite it. All derivatives are with respect to
/// left-trivialised increments: dx for translations (inertial axes), dTheta for rotations with dR = R dTheta^, ds for
/// scalars.
///
/// Threads: the methods of the roles are called from several threads at a time, for different elements; and for the
/// same element where several runs share one model. They are const, and whatever else they call, including user
/// functions, must be thread-safe. An element for which this does not hold is evaluated serially (evaluate_serially()).
/// Where several elements throw in one loop, the exception of the first in the order of the model is rethrown, whatever
/// the number of threads.

#include <picus/configuration.hpp>
#include <picus/friction_law.hpp>
#include <picus/impact_law.hpp>
#include <picus/node.hpp>
#include <picus/types.hpp>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// Largest number of velocity components of an element (the local buffers are on the stack).
inline constexpr Index max_local_dofs = 96;

class Element {
 public:
  virtual ~Element() = default;
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;

  /// As given by the user; unique in its model.
  const std::string& name() const { return name_; }
  /// In the order of the local layout.
  std::span<const Node> nodes() const { return nodes_; }
  /// n, the number of velocity components of all its nodes.
  Index dof_count() const { return dof_count_; }
  /// The unit, such as "rad", that this element defines for the value of a scalar node; empty if it defines none.
  virtual std::string_view unit_of(const Node& /*scalar*/) const { return {}; }
  /// Whether it is evaluated serially (evaluate_serially(), Model::evaluate_serially): in the thread of the run, while
  /// no other element is called.
  bool is_evaluated_serially() const { return is_evaluated_serially_; }

 protected:
  /// The name is that of the parameters; each node appears once, in the order of the local layout.
  Element(std::string name, std::initializer_list<Node> nodes);
  /// The same for a number of nodes that is known at run time only.
  Element(std::string name, std::vector<Node> nodes);

  /// For the constructor of an element that must not be called concurrently with others, because they share mutable
  /// data.
  void evaluate_serially() { is_evaluated_serially_ = true; }

 private:
  friend class Model;
  std::string name_;
  std::vector<Node> nodes_;
  Index dof_count_ = 0;
  bool is_evaluated_serially_ = false;
};

/// The arguments of a force: configuration, velocities and time.
struct Motion {
  const Configuration& q;  ///< configuration of all nodes
  const Vector& v;         ///< velocities of all nodes, natural layout (Node::v)
  double t;                ///< seconds
};

/// Role 1: mass. M(q) is symmetric, n x n, and may be singular for one element.
/// Terms quadratic in the velocity (gyroscopic, centrifugal) belong to the Force role of the element.
class Inertia {
 public:
  virtual ~Inertia() = default;
  /// M(q), n x n.
  virtual void mass(const Configuration& q, std::span<double> M) const = 0;
  /// Whether M is the same for every q; then it is assembled once and mass_gradient is never called.
  virtual bool has_constant_mass() const = 0;
  /// d(M(q) w)/dq for a local vector w held constant, n x n.
  virtual void mass_gradient(const Configuration& q, std::span<const double> w, std::span<double> K) const;
};

/// Kinds of potential energy distinguished by the energy audit.
enum class PotentialKind : std::uint8_t {
  gravity,  ///< a gravitational or other acceleration field
  spring,   ///< springs and bushings
  strain,   ///< deformed beams and solids
  other,    ///< anything else
};

/// Role 2: everything on the right-hand side of M dv/dt = f(q, v, t): loads, springs, dampers, gyroscopic
/// terms.
class Force {
 public:
  /// What the assembler may leave out. When in doubt, declare a term as present.
  struct Traits {
    bool depends_on_configuration = true;  ///< stiffness K is not zero
    bool depends_on_velocity = true;       ///< damping C is not zero
    bool has_potential = false;            ///< potential_energy() is V, and f contains -dV/dq
    /// The kind under which the energy audit counts the potential.
    PotentialKind potential_kind = PotentialKind::other;
    /// f does no work beyond its potential: f = -dV/dq, or f is quadratic in the velocity and balances
    /// 1/2 v . dM/dt v (gyroscopic and centrifugal terms). Otherwise f + dV/dq counts as a load.
    bool is_conservative = false;
    /// An external load, which a static analysis applies in increments.
    bool is_load = false;
  };
  virtual ~Force() = default;
  /// What the force depends on and whether it has a potential; the same throughout a run.
  virtual Traits traits() const = 0;
  /// f, n entries, in newtons (translation) and newton metres in the body frame (rotation).
  virtual void force(const Motion& motion, std::span<double> f) const = 0;
  /// K = -df/dq (n x n) and C = -df/dv (n x n).
  virtual void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const = 0;
  /// -dV/dq, n entries; called only for forces with a potential that are not conservative.
  virtual void conservative_force(const Configuration& q, double t, std::span<double> f) const;
  /// V(q, t), joules, where has_potential is true.
  virtual double potential_energy(const Configuration& q, double t) const;
};

/// Role 3: m constraints g(q, t) = 0 with multipliers lambda; the reaction on the nodes is G^T lambda.
class BilateralConstraint {
 public:
  virtual ~BilateralConstraint() = default;
  /// m, the number of constraint rows.
  virtual Index row_count() const = 0;
  /// g, m entries: metres, or radians for constraints on orientation.
  virtual void residual(const Configuration& q, double t, std::span<double> g) const = 0;
  /// G = dg/dq, m x n.
  virtual void gradient(const Configuration& q, double t, std::span<double> G) const = 0;
  /// d(G^T lambda)/dq with lambda held constant, n x n.
  virtual void geometric_stiffness(const Configuration& q, double t, std::span<const double> lambda,
                                   std::span<double> K) const = 0;
  /// d(G v + g_t)/dq with v held constant, m x n; v holds the n local velocities.
  virtual void rate_jacobian(const Configuration& q, double t, std::span<const double> v,
                             std::span<double> H) const = 0;
  /// Whether entries of G that vanish at several random configurations vanish everywhere, which lets the
  /// assembler drop them. Override with false for gradients that are defined piecewise (a cam with a dwell).
  virtual bool has_structural_zeros() const { return true; }
  /// Whether g depends on t explicitly.
  virtual bool is_rheonomic() const { return false; }
  /// g_t, the partial rate of g, m entries; called only if is_rheonomic().
  virtual void partial_rate(const Configuration& q, double t, std::span<double> g_t) const;
};

/// Largest number of rows of a contact.
inline constexpr Index max_contact_rows = 6;

/// The laws at a contact: Coulomb friction, and restitution in normal and tangential direction. Rows are the
/// normal direction, the sliding directions, then drilling (spin about the normal) and rolling, which are angles times
/// a length, so that moments are forces times that length. With P_S the forces of sliding and drilling, P_R those of
/// rolling, the law is
///
///     |P_S| <= mu P_N,   |P_R| <= mu P_N
///
/// and where a bound is reached the force opposes the motion of its rows: sliding and drilling share one cone, so that
/// a body that spins fast has little resistance to sliding (Contensou); rolling has a cone of its own.
struct ContactLaw {
  double mu = 0.0;                ///< coefficient of friction, >= 0
  double e_n = 0.0;               ///< normal restitution, in [0, 1]
  double e_t = 0.0;               ///< tangential restitution, in [0, 1]
  Index friction_directions = 2;  ///< sliding directions: 0 (frictionless), 1 (planar) or 2
  bool has_drilling = false;      ///< a row for the spin about the normal
  Index rolling_directions = 0;   ///< 0 (no resistance), 1 (planar) or 2
  ImpactLaw impact;               ///< defines the meaning of e_n; e_t is used by Newton's law only
  /// The coefficient as a function of the sliding speed, with mu its value at rest; null: mu is constant.
  std::shared_ptr<const FrictionLaw> friction = {};

  /// Number of rows of sliding and drilling.
  Index sliding_rows() const { return friction_directions + (has_drilling ? 1 : 0); }
  /// Whether there is any friction.
  bool has_friction() const { return mu > 0 || friction != nullptr; }
  /// The coefficient at a sliding speed, m/s.
  double mu_at(double speed) const { return friction ? friction->at(speed).mu : mu; }
  /// The coefficient as the option of an element.
  Friction coefficient() const { return friction ? Friction(friction) : Friction(mu); }
};

/// Role 4: contact geometry. The inclusion itself (complementarity, friction cone, impact law) is solved in one place
/// for all contacts; an element only provides relative motion and its gradients. For the rows see ContactLaw.
class Contact {
 public:
  virtual ~Contact() = default;
  /// Friction and restitution, the same throughout a run.
  virtual const ContactLaw& law() const = 0;
  /// Normal gap g_N at q, metres, > 0 when open; then the tangential displacement g_T over the step that began at q_n,
  /// metres, measured in the material frame of the master.
  virtual void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const = 0;
  /// G = dg/dq at q, rows x n (see has_path_dependent_slip). Gap rates are G v.
  virtual void gradient(const Configuration& q, std::span<double> G) const = 0;
  /// d(G^T p)/dq with p held constant, n x n.
  virtual void geometric_stiffness(const Configuration& q, std::span<const double> p,
                                   std::span<double> K) const = 0;
  /// Whether dg_T/dq = G holds at q = q_n only, and elsewhere up to terms of the size of the step's motion. This is the
  /// case for rolling bodies, since rolling is not holonomic: no function g_T of q has the derivative G everywhere.
  virtual bool has_path_dependent_slip() const { return false; }
  /// Whether entries of G that vanish at several random configurations vanish everywhere, which lets the
  /// assembler drop them. Override with false for a surface of bounded extent or one that is defined piecewise.
  virtual bool has_structural_zeros() const { return true; }
  /// Point of application of the force on the first node of the element, in the inertial frame, m; by default the node
  /// itself. Used for pictures only, never by a solver.
  virtual std::optional<Vec3> contact_point(const Configuration& /*q*/) const { return std::nullopt; }

  /// Number of rows: normal, sliding, drilling, rolling.
  Index row_count() const { return 1 + law().sliding_rows() + law().rolling_directions; }
};

/// A role beside these four: an element whose equations are valid within limits only, e.g. a solid that must not be
/// turned inside out.
class Limited {
 public:
  virtual ~Limited() = default;
  /// How its limits are violated at q, as the remainder of a sentence that begins with the element's name; empty if
  /// they are not. Called once per step, for the configuration at its end.
  virtual std::string fault(const Configuration& q) const = 0;
};

}  // namespace picus
