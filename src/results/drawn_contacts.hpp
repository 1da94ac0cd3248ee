#pragma once

/// Contacts in pictures: where they are, what they push and how they are.

#include "columns.hpp"
#include <picus/archive.hpp>
#include <picus/system.hpp>

#include <string>
#include <vector>

namespace picus::results {

/// One contact at one instant, in the inertial frame.
struct ContactPicture {
  Vec3 point = Vec3::Zero();     ///< where the force acts on the first node of the element, m
  Vec3 velocity = Vec3::Zero();  ///< of the material of that node there, m/s
  Vec3 normal = Vec3::Zero();    ///< along which the first node moves to open the contact, unit vector
  Vec3 force = Vec3::Zero();     ///< on the first node, mean since the picture before, N
  double gap = 0.0;              ///< m
  /// The last of gap, stick, slip that it was since the picture before.
  ContactState state = ContactState::gap;
};

/// All contacts of a system whose first node is a frame or a point; others cannot be shown.
class DrawnContacts {
 public:
  /// Impulses of a step are forces times `seconds`.
  DrawnContacts(const System& system, double seconds);

  Index count() const { return count_of(contacts_); }
  std::vector<std::string> names() const;
  /// Adds a step. Allocates nothing.
  void add(const State& state);
  /// Asks all elements, and begins anew to add. `gaps` of all contact rows. Allocates nothing.
  void evaluate(const State& state, const Vector& gaps);
  const std::vector<ContactPicture>& pictures() const { return pictures_; }

  /// What was added since the last picture.
  void serialize(Archive& archive);

  /// Normal, force, gap and state of all contacts, flat and plain; none if there are no contacts.
  std::vector<Column> make_columns() const;

 private:
  struct Contact {
    const Element* element;
    const picus::Contact* role;
    Index number;  ///< among all contacts
    Index rows;
    Index first_row;
  };

  double seconds_;
  std::vector<Contact> contacts_;
  std::vector<ContactPicture> pictures_;
  Vector impulse_;                   ///< of all contact rows since the last picture, N s
  std::int64_t steps_ = 0;           ///< since the last picture
  std::vector<ContactState> state_;  ///< largest of each contact since the last picture
};

inline constexpr const char* contact_normal = "visualization/contact_normal";
inline constexpr const char* contact_force = "visualization/contact_force";
inline constexpr const char* contact_gap = "visualization/contact_gap";
inline constexpr const char* contact_state = "visualization/contact_state";

}  // namespace picus::results
