#pragma once

/// Contacts in pictures: positions, forces and states.

#include "columns.hpp"
#include <picus/archive.hpp>
#include <picus/system.hpp>

#include <string>
#include <vector>

namespace picus::results {

/// One contact at one instant, in the inertial frame.
struct ContactPicture {
  Vec3 point = Vec3::Zero();     ///< point of application of the force on the first node of the element, m
  Vec3 velocity = Vec3::Zero();  ///< of the material point of that node, m/s
  Vec3 normal = Vec3::Zero();    ///< direction of opening for the first node, unit vector
  Vec3 force = Vec3::Zero();     ///< on the first node, mean since the previous picture, N
  double gap = 0.0;              ///< m
  /// The highest of gap, stick, slip (in this order) since the previous picture.
  ContactState state = ContactState::gap;
};

/// All contacts of a system whose first node is a frame or a point; others cannot be drawn.
class DrawnContacts {
 public:
  /// `seconds` is the ratio of impulses of a step to forces.
  DrawnContacts(const System& system, double seconds);

  Index count() const { return count_of(contacts_); }
  std::vector<std::string> names() const;
  /// Adds a step. Allocates nothing.
  void add(const State& state);
  /// Evaluates all pictures and restarts the sums. `gaps` of all contact rows. Allocates nothing.
  void evaluate(const State& state, const Vector& gaps);
  const std::vector<ContactPicture>& pictures() const { return pictures_; }

  /// Stores the sums since the last picture, for checkpoints.
  void serialize(Archive& archive);

  /// Columns with normal, force, gap and state of all contacts, flat and plain; none if there are no contacts.
  std::vector<Column> make_columns() const;

 private:
  struct Contact {
    const Element* element;
    const picus::Contact* role;
    Index number;  ///< index in System::contacts()
    Index rows;
    Index first_row;
  };

  double seconds_;
  std::vector<Contact> contacts_;
  std::vector<ContactPicture> pictures_;
  Vector impulse_;                   ///< sum for all contact rows since the last picture, N s
  std::int64_t steps_ = 0;           ///< number of steps since the last picture
  std::vector<ContactState> state_;  ///< highest state of each contact since the last picture
};

inline constexpr const char* contact_normal = "visualization/contact_normal";
inline constexpr const char* contact_force = "visualization/contact_force";
inline constexpr const char* contact_gap = "visualization/contact_gap";
inline constexpr const char* contact_state = "visualization/contact_state";

}  // namespace picus::results
