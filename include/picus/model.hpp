#pragma once

/// The description of a multibody system by the user: nodes, fixed and driven components, and elements, all with names.
/// A Model is checked while it is built (an exception names the offending object) and does not change during a run: as
/// long as a System of it exists (simulate() has one), any attempt to change or move it throws ModelError. Before and
/// after that it may be extended.
///
/// A Model cannot be copied; it can be moved, and its nodes remain nodes of the model that it has been moved to.
/// Several threads may read one Model, and run it at the same time, each with an integrator of its own, provided that
/// the user functions in it may be called from all of them. Only one thread may change it.
///
/// A single run also calls elements from several threads (element.hpp), and with them their user functions: forces,
/// spring laws, time-dependent loads. evaluate_serially() marks elements that must not be called in this way. Motions
/// of driven components, sensors, recorders and callbacks are called in the thread of the run, one after the other.

#include <picus/configuration.hpp>
#include <picus/contact_set.hpp>
#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/error.hpp>
#include <picus/handle.hpp>
#include <picus/model_identity.hpp>
#include <picus/node.hpp>
#include <picus/observable.hpp>
#include <picus/prescribed_motion.hpp>
#include <picus/sensor.hpp>

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace picus {

/// Initial values of a frame node; all in the inertial frame except angular_velocity, which is in the body frame.
struct FrameStart {
  Vec3 position = Vec3::Zero();          ///< position of the node, m
  Mat3 rotation = Mat3::Identity();      ///< R, from the body frame to the inertial frame
  Vec3 velocity = Vec3::Zero();          ///< velocity of the node, m/s
  Vec3 angular_velocity = Vec3::Zero();  ///< Omega, in the body frame, rad/s
};

/// Initial values of a point node, in the inertial frame.
struct PointStart {
  Vec3 position = Vec3::Zero();  ///< m
  Vec3 velocity = Vec3::Zero();  ///< m/s
};

/// Initial values of a scalar node.
struct ScalarStart {
  double value = 0.0;  ///< in the unit defined by its elements: rad, m
  double rate = 0.0;   ///< unit of value per second
};

/// Names are unique and contain no '/'. Nodes and elements of a mesh are named "beam[0]", "beam[1]" and so on; results
/// combine those that differ in the number only into one data set.
class Model {
 public:
  /// An empty model. The name appears in results.
  explicit Model(std::string name = "model");
  /// Nodes remain valid for the new model; an empty model is left behind. Throws ModelError if it is in use.
  Model(Model&& other);  // NOLINT(performance-noexcept-move-constructor): models in use cannot be moved
  /// As the move constructor; also throws ModelError if this model is in use.
  Model& operator=(Model&& other);  // NOLINT(performance-noexcept-move-constructor): the same
  ~Model();

  /// As given to the constructor.
  const std::string& name() const { return identity_.name(); }
  /// A number that is unique in the process, stored in its nodes.
  std::uint32_t number() const { return identity_.number(); }
  /// The model cannot be changed as long as this pointer, or a copy of it, exists.
  std::shared_ptr<const void> use() const { return identity_.use(); }

  /// Adds a node. Names are unique among the nodes and contain no '/'. Throws ModelError for a duplicate name, for NaN
  /// or infinity, and for a rotation that is not a proper orthogonal matrix (to 1e-9).
  FrameNode add_frame(std::string name, const FrameStart& start = {});
  /// Adds a node without rotation; the same rules.
  PointNode add_point(std::string name, const PointStart& start = {});
  /// Adds a node with a single coordinate, such as the angle of a hinge; the same rules.
  ScalarNode add_scalar(std::string name, const ScalarStart& start = {});
  /// The unit of the value of a scalar node, from the first element that defines one; empty if none does.
  std::string_view unit_of(const Node& scalar) const;

  /// Fixes components of a node at their initial values. Their initial velocity must be zero. Fixing a component twice
  /// is harmless; fixing one that is driven is contradictory and throws.
  void fix(const Node& node, std::initializer_list<Component> components);
  /// Fixes all components of a node.
  void fix(const Node& node);
  /// Restricts a node to the x-y plane: x, y and rz of a frame, x and y of a point remain free.
  void restrict_to_plane(const Node& node);
  /// Prescribes the motion of a component; its velocity at t = 0 is that of the motion.
  void drive(const Node& node, Component component, PrescribedMotion motion);

  /// Creates an element E from its parameters (E::Parameters, an aggregate with a `name`) and adds it in every role
  /// that it plays. Parameters are checked by the element; names are unique among the elements.
  template <class E>
  Handle<E> add(typename E::Parameters parameters) {
    auto element = std::make_unique<E>(std::move(parameters), *this);
    const E& reference = *element;
    const Index index = register_element(std::move(element));
    if constexpr (std::derived_from<E, Inertia>) inertias_.push_back({&reference, &reference});
    if constexpr (std::derived_from<E, Force>) forces_.push_back({&reference, &reference});
    if constexpr (std::derived_from<E, BilateralConstraint>) constraints_.push_back({&reference, &reference});
    if constexpr (std::derived_from<E, Contact>) contacts_.push_back({&reference, &reference});
    if constexpr (std::derived_from<E, ContactSet>) contact_sets_.push_back({&reference, &reference});
    if constexpr (std::derived_from<E, Limited>) limited_.push_back({&reference, &reference});
    if constexpr (std::derived_from<E, Drawable>) drawables_.push_back({&reference, &reference});
    if constexpr (std::derived_from<E, Observable>) observables_.push_back({&reference, &reference});
    return {index, reference};
  }

  /// Makes runs call the element in the thread of the run only, while no other element is called: for user functions
  /// that must not be called from several threads at a time. Throws ModelError for an element of another model.
  template <class E>
  void evaluate_serially(const Handle<E>& element) {
    evaluate_serially(element.index(), *element);
  }

  /// All nodes, in order of creation.
  std::span<const Node> nodes() const { return nodes_; }
  /// The name given by the user. Throws ModelError for a node of another model.
  const std::string& node_name(const Node& node) const;
  /// The node of that name; throws ModelError with the nearest name if there is none.
  Node find_node(std::string_view name) const;

  /// All elements, in order of creation.
  std::span<const std::unique_ptr<Element>> elements() const { return elements_; }
  /// The element of that name; throws ModelError with the nearest name if there is none.
  const Element& find_element(std::string_view name) const;
  /// The elements that have mass.
  std::span<const InRole<Inertia>> inertias() const { return inertias_; }
  /// The elements that exert forces.
  std::span<const InRole<Force>> forces() const { return forces_; }
  /// The elements with bilateral constraints, such as joints.
  std::span<const InRole<BilateralConstraint>> constraints() const { return constraints_; }
  /// The elements that are contacts.
  std::span<const InRole<Contact>> contacts() const { return contacts_; }
  /// The elements that are sets of surfaces between which contacts are detected.
  std::span<const InRole<ContactSet>> contact_sets() const { return contact_sets_; }
  /// The elements whose equations are valid within limits.
  std::span<const InRole<Limited>> limited() const { return limited_; }
  /// The elements that are drawn in animations.
  std::span<const InRole<Drawable>> drawables() const { return drawables_; }
  /// The elements that report quantities.
  std::span<const InRole<Observable>> observables() const { return observables_; }

  /// Adds an output (sensor.hpp). Throws ModelError for a name that is in use or not allowed, an interval that is
  /// negative or not finite, quantities that are missing or named twice, a missing function to read them, and whatever
  /// its check rejects.
  void add_sensor(Sensor sensor);
  /// In order of addition.
  std::span<const Sensor> sensors() const { return sensors_; }

  /// The initial configuration as given by the user, before any projection on the constraints.
  const Configuration& initial_configuration() const { return initial_configuration_; }
  /// Initial velocities of all nodes as given by the user, in the natural layout (Node::v).
  std::span<const double> initial_velocity() const { return initial_velocity_; }

  /// Whether this velocity component is prescribed by fix() or drive().
  bool is_fixed(Index dof) const { return fixed_[dof]; }
  /// The motions of driven velocity components.
  const std::map<Index, PrescribedMotion>& driven() const { return driven_; }
  /// Number of velocity components of all nodes, fixed and driven ones included.
  Index velocity_count() const { return count_of(fixed_); }

  /// "x of node "bird"" for a velocity component, for messages.
  std::string describe_dof(Index dof) const;

  /// Throws ModelError unless `node` is a node of this model; `user` and `role` appear in the message.
  void require_node(const Node& node, std::string_view user, std::string_view role) const;

  /// Throws ModelError unless `element` is an element of this model, in the same way.
  void require_element(const Element* element, std::string_view user, std::string_view role) const;

  /// Adds a model parameter that is stored in results (name, value as text).
  void note_parameter(std::string key, std::string value);
  /// The parameters added by note_parameter().
  std::span<const std::pair<std::string, std::string>> parameters() const { return parameters_; }

 private:
  Node add_node(std::string name, NodeKind kind, std::span<const double> q, std::span<const double> v);
  Index register_element(std::unique_ptr<Element> element);
  void evaluate_serially(Index index, const Element& element);
  Index dof_of(const Node& node, Component component) const;

  ModelIdentity identity_;  // the first member: it throws, if it cannot be moved, before any other is moved
  std::vector<Node> nodes_;
  std::vector<std::string> node_names_;
  std::map<std::string, Index, std::less<>> node_by_name_;
  std::vector<std::unique_ptr<Element>> elements_;
  std::map<std::string, Index, std::less<>> element_by_name_;
  std::vector<InRole<Inertia>> inertias_;
  std::vector<InRole<Force>> forces_;
  std::vector<InRole<BilateralConstraint>> constraints_;
  std::vector<InRole<Contact>> contacts_;
  std::vector<InRole<ContactSet>> contact_sets_;
  std::vector<InRole<Limited>> limited_;
  std::vector<InRole<Drawable>> drawables_;
  std::vector<InRole<Observable>> observables_;
  std::vector<Sensor> sensors_;
  Configuration initial_configuration_;
  std::vector<double> initial_velocity_;
  std::vector<bool> fixed_;
  std::map<Index, PrescribedMotion> driven_;
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace picus
