#pragma once

/// A Model prepared for computation: numbering of unknowns and rows, and the sums over all elements.
///
/// Natural layout: vectors with the layout of velocities (v, accelerations, increments, forces) contain all components
/// of all nodes at Node::v, prescribed (fixed and driven) ones included. Their entries in a residual are then the
/// reactions of prescribed components. The unknowns of a solve are the free components only (free_dofs), followed by
/// multipliers.
///
/// Everything except set_found_contacts() is const and allocates nothing once buffers have their size; the caller owns
/// all buffers. Several threads may use one System, each with buffers of its own, while it is not changed. As long as
/// it exists its model cannot change (model.hpp).

#include <picus/element_loop.hpp>
#include <picus/model.hpp>
#include <picus/profile.hpp>
#include <picus/state.hpp>
#include <picus/threads.hpp>
#include <picus/types.hpp>

#include <Eigen/Geometry>

#include <vector>

namespace picus {

/// One nonzero of the gradients of all constraints (or contacts): row, component in natural layout, and position of its
/// value in the concatenated local gradient matrices.
struct GradientEntry {
  Index source;  ///< index of the value in Gradients::values
  Index row;     ///< row of the system
  Index dof;     ///< velocity component, natural layout
};

/// A constraint or contact with its position in the global rows.
template <class R>
struct RowBlock {
  const Element* element;  ///< for its name and nodes
  const R* role;           ///< the same object as constraint or contact
  Index dofs;              ///< n, local columns
  Index rows;              ///< m, local rows
  Index first_row;         ///< global number of its first local row
  Index first_source;      ///< first index of its local gradient in the concatenated ones
};

/// The gradients of a list of row blocks at one configuration: the concatenated local matrices.
struct Gradients {
  std::vector<double> values;  ///< in the order of the blocks, each column by column
};

class System {
 public:
  /// Numbers unknowns and rows and finds idle constraint rows. Throws ModelError for a model without a free component,
  /// for a constraint on prescribed components only that is violated at the start, for a force that depends on a
  /// quantity although its traits declare that it does not, and for an element that writes beyond its storage.
  /// `threads` is the number of threads that share its loops and those of objects made for it; 0: as set by
  /// ThreadLimit, or else all cores where the model is large enough for this to pay off. Throws OptionError for a
  /// number out of range.
  explicit System(const Model& model, int threads = 0);

  /// Throws ModelError unless the state belongs to this model and is complete: every vector has the size given by this
  /// system.
  void require_state(const State& state) const;

  /// Sets the profile that times all computations with this system and must outlive them; null, the default: none. With
  /// a profile only one thread may use the system.
  void set_profile(Profile* profile) { profile_ = profile; }
  /// The profile, or null.
  Profile* profile() const { return profile_; }

  /// The model that it was constructed from.
  const Model& model() const { return *model_; }
  /// The threads that share its loops; null for a single thread.
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
  /// Index into free_dofs(), or -1, for each velocity component.
  std::span<const Index> free_index() const { return free_index_; }

  /// Number of rows of all bilateral constraints, in the order of the model. A row is idle if it depends on no free
  /// component (out-of-plane rows of a planar model): its residual is monitored, but it needs no multiplier.
  Index row_count() const { return row_count_; }
  /// The elements with bilateral constraints and their rows.
  std::span<const RowBlock<BilateralConstraint>> constraints() const { return constraints_; }
  /// Number of rows with a multiplier, i.e. that are not idle.
  Index active_row_count() const { return active_row_count_; }
  /// For each row its index among the active ones, -1 for an idle one.
  std::span<const Index> active_row() const { return active_row_; }
  /// The nonzeros of G of all constraints.
  std::span<const GradientEntry> constraint_entries() const { return constraint_entries_; }
  /// The same with the nonzeros of d(G v + g_t)/dq added.
  std::span<const GradientEntry> constraint_pattern() const { return constraint_pattern_; }

  /// Number of rows of all contacts.
  Index contact_row_count() const { return contact_row_count_; }
  /// The contacts and their rows: those declared by the model, then those detected.
  std::span<const RowBlock<Contact>> contacts() const { return contacts_; }
  /// The contacts declared by the model one by one, which are present in all steps.
  std::span<const RowBlock<Contact>> declared_contacts() const { return contacts().first(declared_count_); }
  /// Number of rows of declared contacts, the first ones.
  Index declared_contact_row_count() const { return declared_row_count_; }
  /// Whether the model has contact sets, but set_found_contacts() has not been called yet.
  bool lacks_search() const { return !is_searched_ && !model_->contact_sets().empty(); }
  /// Keys of the detected contacts, ascending.
  std::span<const ContactKey> found_contacts() const { return found_; }
  /// For sums over a run: the index of a declared contact; for a detected one the number of declared contacts plus the
  /// index of its set in Model::contact_sets().
  std::size_t work_index_of_contact(std::size_t contact) const {
    return contact < declared_count_ ? contact : declared_count_ + found_[contact - declared_count_].set;
  }
  /// Replaces the detected contacts (ascending keys), for the following steps. Owners of buffers of contact rows must
  /// be notified, as Stepper does.
  void set_found_contacts(std::span<const FoundContact> found);
  /// Index of an element in contacts(). Throws ModelError for one that is not a contact of this model.
  std::size_t find_contact(const Element* element) const;
  /// The nonzeros of G of all contacts.
  std::span<const GradientEntry> contact_entries() const { return contact_entries_; }

  /// A length typical of the model, metres: the diagonal of the box around all frame and point nodes at the
  /// initial configuration; 1 m if that is zero.
  double length_scale() const { return length_scale_; }

  /// Selects forces by their dependence on velocities (Force::Traits::depends_on_velocity).
  enum class ForceSelection : std::uint8_t {
    all,              ///< all forces
    of_velocity,      ///< those that depend on velocities
    not_of_velocity,  ///< all others
  };
  /// r += scale f(q, v, t), with loads (Force::Traits::is_load) times load_factor.
  void add_forces(const Motion& motion, double scale, Vector& r, double load_factor = 1.0,
                  ForceSelection selection = ForceSelection::all) const;
  /// V(q, t), joules.
  double potential_energy(const Configuration& q, double t) const;
  /// Whether -df/dq is the Hessian of a potential in all unknowns and nothing depends on velocity: only
  /// points and scalars (increments of rotations do not commute), constant mass, conservative forces.
  bool has_symmetric_tangents() const { return has_symmetric_tangents_; }

  /// The first element that violates its limits at q (Limited), and why: "element "cube" is turned inside out ...";
  /// empty if there is none.
  std::string find_fault(const Configuration& q) const;

  /// g(q, t) of all rows.
  void evaluate_constraint_residual(const Configuration& q, double t, Vector& g) const;
  /// G(q, t) of all constraints.
  void evaluate_gradients(const Configuration& q, double t, Gradients& G) const;
  /// g_t(q, t) of all rows.
  void evaluate_partial_rates(const Configuration& q, double t, Vector& g_t) const;
  /// Whether any constraint depends on time explicitly.
  bool is_rheonomic() const { return is_rheonomic_; }

  /// Gaps at q and tangential displacements since q_n of all contact rows, m.
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
  /// Sets driven components: increments over (t, t + h] in dq, rates and accelerations at t + h in v and a; h may be
  /// negative. Fixed components are set to zero.
  void prescribe(double t, double h, Vector& dq, Vector& v, Vector& a) const;
  /// Sets all prescribed components to zero.
  void clear_prescribed(Vector& x) const;

  /// Text for messages: row and element of a constraint row.
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
  /// An entry of a force, by its index in the concatenated entries of all forces.
  struct ForceEntry {
    Index place;
    bool is_load;
  };

  void number_dofs();
  void number_rows();
  void find_structure();
  void refuse_violated_inactive_rows() const;
  void sort_contacts();
  void distribute_loops();
  void add_forces_together(const Motion& motion, double scale, Vector& r, double load_factor,
                           ForceSelection selection) const;
  /// Whether forces with these traits are selected.
  static bool is_selected(const Force::Traits& traits, ForceSelection selection);

  const Model* model_;
  std::shared_ptr<const Threads> threads_;
  ElementLoop inertia_loop_, force_loop_, constraint_loop_, contact_loop_;
  // The entries summed for each velocity component, in the order of the forces; with several threads only.
  std::vector<Index> force_place_;        ///< index of the first entry of each force
  std::vector<Index> first_force_entry_;  ///< index into force_entries_ for each component, and the end
  std::vector<ForceEntry> force_entries_;
  Profile* profile_ = nullptr;
  std::shared_ptr<const void> use_;  ///< keeps the model in use
  std::vector<Index> free_dofs_;
  std::vector<Index> free_index_;
  std::vector<Index> prescribed_dofs_;
  std::vector<Driven> driven_;
  std::vector<RowBlock<BilateralConstraint>> constraints_;
  std::vector<RowBlock<Contact>> contacts_;
  std::vector<std::size_t> contacts_by_address_;  ///< indices into contacts_
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
  // Counts for the declared contacts.
  std::size_t declared_count_ = 0;
  std::size_t declared_entry_count_ = 0;
  Index declared_row_count_ = 0;
  Index declared_gradient_size_ = 0;
  double length_scale_ = 1.0;
  bool has_symmetric_tangents_ = true;
  bool is_rheonomic_ = false;
};

}  // namespace picus
