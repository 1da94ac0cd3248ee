#pragma once

/// A Model made ready for computing: numbering of unknowns and rows, and the sums over all elements.
///
/// Natural layout: velocity-like vectors (v, accelerations, increments, forces) hold all components of all
/// nodes at Node::v, prescribed ones included. Their entries in a residual are then the reactions of
/// fixations and motions. Unknowns of a solve are the free components only (free_dofs), followed by
/// multipliers.
///
/// Everything here but set_found_contacts() is const and allocates nothing once buffers have their size; the caller owns all
/// buffers. Several threads may use one System, each with buffers of its own, while it is not changed. As long as it lives its
/// model does not change (model.hpp).

#include <picus/element_loop.hpp>
#include <picus/model.hpp>
#include <picus/profile.hpp>
#include <picus/state.hpp>
#include <picus/threads.hpp>
#include <picus/types.hpp>

#include <Eigen/Geometry>

#include <vector>

namespace picus {

/// One nonzero of the gradients of all constraints (or contacts): row, natural component, and where its value
/// is in the concatenated local gradient matrices.
struct GradientEntry {
  Index source;  ///< place of the value in Gradients::values
  Index row;     ///< of the system
  Index dof;     ///< velocity component, natural layout
};

/// A constraint or contact with its place in the global rows.
template <class R>
struct RowBlock {
  const Element* element;  ///< for its name and nodes
  const R* role;           ///< the same object, as constraint or contact
  Index dofs;              ///< n, local columns
  Index rows;              ///< m, local rows
  Index first_row;         ///< global number of its first local row
  Index first_source;      ///< where its local gradient begins in the concatenated ones
};

/// The gradients of a set of row blocks at one configuration: the local matrices, one after another.
struct Gradients {
  std::vector<double> values;  ///< in the order of the blocks, each column by column
};

class System {
 public:
  /// Numbers everything and finds idle constraint rows. Throws ModelError for a model without a free
  /// component, for a constraint on prescribed components only that its start violates, for a force that depends on
  /// what its traits deny, and for an element that writes past the storage it is given. `threads` is how many share its loops and
  /// those of whatever is made for it; 0: what ThreadLimit says, or else all cores where the model is large enough for it to
  /// pay. Throws OptionError for a number out of range.
  explicit System(const Model& model, int threads = 0);

  /// Throws ModelError unless the state is one of this model and complete: every vector as long as this system's.
  void require_state(const State& state) const;

  /// From now on whoever computes with it reports to this, which must outlive that; null, as at first: nobody does. Only one
  /// thread may then do so.
  void set_profile(Profile* profile) { profile_ = profile; }
  /// Null, or where the time goes to.
  Profile* profile() const { return profile_; }

  /// The model that it was made of.
  const Model& model() const { return *model_; }
  /// Those that share its loops; null for one.
  const Threads* threads() const { return threads_.get(); }
  /// The loop over Model::inertias().
  const ElementLoop& inertia_loop() const { return inertia_loop_; }
  /// The loop over Model::forces().
  const ElementLoop& force_loop() const { return force_loop_; }
  /// The loop over constraints().
  const ElementLoop& constraint_loop() const { return constraint_loop_; }
  /// The loop over contacts().
  const ElementLoop& contact_loop() const { return contact_loop_; }
  /// All nodes of the model.
  std::span<const Node> nodes() const { return model_->nodes(); }

  /// Number of all velocity components, prescribed ones included.
  Index velocity_count() const { return model_->velocity_count(); }
  /// The velocity components that are unknown, ascending.
  std::span<const Index> free_dofs() const { return free_dofs_; }
  /// Place among free_dofs(), or -1, for each velocity component.
  std::span<const Index> free_index() const { return free_index_; }

  /// Rows of all bilateral constraints in the order of the model. A row is idle when it depends on no free
  /// component (out-of-plane rows of a planar model): it is watched, but needs no multiplier.
  Index row_count() const { return row_count_; }
  /// The elements with equations and their rows.
  std::span<const RowBlock<BilateralConstraint>> constraints() const { return constraints_; }
  /// Number of rows that are solved for.
  Index active_row_count() const { return active_row_count_; }
  /// For each row its place among those that are solved for, -1 for an idle one.
  std::span<const Index> active_row() const { return active_row_; }
  /// The nonzeros of G of all constraints.
  std::span<const GradientEntry> constraint_entries() const { return constraint_entries_; }
  /// The same with the nonzeros of d(G v + g_t)/dq added.
  std::span<const GradientEntry> constraint_pattern() const { return constraint_pattern_; }

  /// Rows of all contacts.
  Index contact_row_count() const { return contact_row_count_; }
  /// The contacts and their rows: those that the model declares, then those that were found.
  std::span<const RowBlock<Contact>> contacts() const { return contacts_; }
  /// Those that the model declares, one by one; they are there in all steps.
  std::span<const RowBlock<Contact>> declared_contacts() const { return contacts().first(declared_count_); }
  /// Rows of those, the first ones.
  Index declared_contact_row_count() const { return declared_row_count_; }
  /// Whether the model has contacts that are found as bodies move, and nobody has looked for them yet: set_found_contacts() has not
  /// been called.
  bool lacks_search() const { return !is_searched_ && !model_->contact_sets().empty(); }
  /// Keys of the others, ascending.
  std::span<const ContactKey> found_contacts() const { return found_; }
  /// For sums over a run: its place if it is declared, else, after all of those, that of its set among Model::contact_sets().
  std::size_t account_of_contact(std::size_t contact) const {
    return contact < declared_count_ ? contact : declared_count_ + found_[contact - declared_count_].set;
  }
  /// Replaces the contacts that were found (ascending keys), for the steps to come. Whoever holds buffers of contact rows has to
  /// be told: Stepper does it.
  void set_found_contacts(std::span<const FoundContact> found);
  /// Place of an element among contacts(). Throws ModelError for one that is no contact of this model.
  std::size_t find_contact(const Element* element) const;
  /// The nonzeros of G of all contacts.
  std::span<const GradientEntry> contact_entries() const { return contact_entries_; }

  /// A length typical of the model (the diagonal of the box around all nodes, offsets included), metres.
  double length_scale() const { return length_scale_; }

  /// Which forces are meant: all, or those that (do not) depend on velocities (Force::Traits::depends_on_velocity).
  enum class ForceSelection : std::uint8_t {
    all,              ///< of all roles
    of_velocity,      ///< of those that depend on velocities
    not_of_velocity,  ///< of the others
  };
  /// r += scale f(q, v, t), with loads (Force::Traits::is_load) times load_factor.
  void add_forces(const Motion& motion, double scale, Vector& r, double load_factor = 1.0,
                  ForceSelection selection = ForceSelection::all) const;
  /// V(q, t), joules.
  double potential_energy(const Configuration& q, double t) const;
  /// Whether -df/dq is the Hessian of a potential in all unknowns and nothing depends on velocity: only
  /// points and scalars (increments of rotations do not commute), constant mass, conservative forces.
  bool has_symmetric_tangents() const { return has_symmetric_tangents_; }

  /// The first element that is beyond its limits at q (Limited), and why: "element "cube" is turned inside out ..."; empty if
  /// there is none.
  std::string find_fault(const Configuration& q) const;

  /// g(q, t) of all rows.
  void evaluate_constraint_residual(const Configuration& q, double t, Vector& g) const;
  /// G(q, t) of all constraints.
  void evaluate_gradients(const Configuration& q, double t, Gradients& G) const;
  /// g_t(q, t) of all rows.
  void evaluate_partial_rates(const Configuration& q, double t, Vector& g_t) const;
  /// Whether any constraint depends on time explicitly.
  bool is_rheonomic() const { return is_rheonomic_; }

  /// Gaps at q and tangential motions since q_n of all contact rows, m.
  void evaluate_gaps(const Configuration& q_n, const Configuration& q, Vector& g) const;
  /// G(q) of all contacts.
  void evaluate_contact_gradients(const Configuration& q, Gradients& G) const;

  /// r += scale G^T lambda.
  static void add_transpose(std::span<const GradientEntry> entries, const Gradients& G, const Vector& lambda,
                            double scale, Vector& r);
  /// out = G v.
  static void multiply(std::span<const GradientEntry> entries, const Gradients& G, const Vector& v,
                       Vector& out);

  /// A buffer of the right size for evaluate_gradients().
  Gradients make_constraint_gradients() const;
  /// A buffer of the right size for evaluate_contact_gradients().
  Gradients make_contact_gradients() const;

  /// Whether any component is driven.
  bool has_driven_dofs() const { return !driven_.empty(); }
  /// Sets driven components: increments over (t, t + h] into dq, rates and accelerations at t + h into v and a; h may be
  /// negative. Fixed components are set to zero.
  void prescribe(double t, double h, Vector& dq, Vector& v, Vector& a) const;
  /// Leaves free components untouched and sets all others to zero.
  void clear_prescribed(Vector& x) const;

  /// Sentence parts for messages: the element, row or node behind an index.
  std::string describe_row(Index row) const;
  /// The same for a row of a contact.
  std::string describe_contact_row(Index row) const;
  /// The same for a velocity component: `x of node "bird"`.
  std::string describe_dof(Index dof) const { return model_->describe_dof(dof); }

 private:
  struct Driven {
    Index dof;
    const PrescribedMotion* motion;
  };
  /// An entry of a force among those of all forces, one after another.
  struct ForceEntry {
    Index place;
    bool is_load;
  };

  void number_dofs();
  void number_rows();
  void find_structure();
  void refuse_violated_idle_rows() const;
  void sort_contacts();
  void share_loops();
  void add_forces_together(const Motion& motion, double scale, Vector& r, double load_factor,
                           ForceSelection selection) const;
  /// Whether forces with these traits are meant.
  static bool is_selected(const Force::Traits& traits, ForceSelection selection);

  const Model* model_;
  std::shared_ptr<const Threads> threads_;
  ElementLoop inertia_loop_, force_loop_, constraint_loop_, contact_loop_;
  // What each velocity component sums, in the order of the forces; only for several threads.
  std::vector<Index> force_place_;        ///< of the first entry of each force
  std::vector<Index> first_force_entry_;  ///< of each component, and the end
  std::vector<ForceEntry> force_entries_;
  Profile* profile_ = nullptr;
  std::shared_ptr<const void> use_;  ///< of the model
  std::vector<Index> free_dofs_;
  std::vector<Index> free_index_;
  std::vector<Index> prescribed_dofs_;
  std::vector<Driven> driven_;
  std::vector<RowBlock<BilateralConstraint>> constraints_;
  std::vector<RowBlock<Contact>> contacts_;
  std::vector<std::size_t> contacts_by_address_;  ///< places among contacts_
  std::vector<Index> active_row_;
  std::vector<GradientEntry> constraint_entries_;
  std::vector<GradientEntry> constraint_pattern_;
  std::vector<GradientEntry> contact_entries_;
  Index row_count_ = 0;
  Index active_row_count_ = 0;
  Index contact_row_count_ = 0;
  Index constraint_gradient_size_ = 0;
  Index contact_gradient_size_ = 0;
  Index largest_element_ = 0;
  bool is_searched_ = false;
  std::vector<ContactKey> found_;
  // Of the declared contacts.
  std::size_t declared_count_ = 0;
  std::size_t declared_entry_count_ = 0;
  Index declared_row_count_ = 0;
  Index declared_gradient_size_ = 0;
  double length_scale_ = 1.0;
  bool has_symmetric_tangents_ = true;
  bool is_rheonomic_ = false;
};

}  // namespace picus
