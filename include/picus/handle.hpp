#pragma once

/// References to elements of a model.

#include <picus/element.hpp>

#include <concepts>

namespace picus {

/// A typed reference to an element of a model, valid as long as the model exists.
template <class E>
class Handle {
 public:
  /// Called by Model::add.
  Handle(Index index, const E& element) : index_(index), element_(&element) {}
  /// Number of the element in its model, in order of creation.
  Index index() const { return index_; }
  /// The element, read-only.
  const E& operator*() const { return *element_; }
  /// Access to its members: `bird->mass_point()`.
  const E* operator->() const { return element_; }

 private:
  Index index_;
  const E* element_;
};

/// An element in one of its roles; default-constructed it refers to none.
template <class R>
struct InRole {
  const Element* element = nullptr;  ///< for its name and nodes
  /// The same object as Inertia, Force, BilateralConstraint, Contact, Drawable, Observable or Continuum.
  const R* role = nullptr;

  InRole() = default;
  /// From the two base-class pointers of one object.
  InRole(const Element* element_in_role, const R* its_role) : element(element_in_role), role(its_role) {}
  /// The element of a handle.
  template <std::derived_from<R> E>
  InRole(const Handle<E>& handle) : element(&*handle), role(&*handle) {}  // NOLINT: the element in that role
  /// An element given by its class.
  template <std::derived_from<R> E>
  requires std::derived_from<E, Element> InRole(const E& its_element)  // NOLINT
      : element(&its_element), role(&its_element) {}
};

}  // namespace picus
