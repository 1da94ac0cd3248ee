#pragma once

/// Groups of bodies that move together, with their sizes and speeds: the reference values of residuals, so that neither
/// the location of the origin nor a fast body far away affects a motion.

#include <picus/solvers/subproblems/scales.hpp>

#include <span>
#include <vector>

namespace picus {

/// Groups of nodes connected by elements other than loads. Fixed nodes and the ground do not connect anything. A
/// contact between two groups connects them in a step in which it is closed or may close.
class BodyGroups {
 public:
  /// At the initial configuration of the model; `system` and `scales` must outlive it.
  BodyGroups(const System& system, const Scales& scales, const MassMatrix& mass);

  /// Measures the groups at q_n and merges those connected by contacts for a step of size h. `states_n` are the contact
  /// states at t_n.
  void begin_step(const Configuration& q_n, const Vector& v_n, double h,
                  std::span<const ContactState> states_n);

  Index count() const { return count_of(root_); }
  /// The group of a component, of a bilateral row, and of a contact; 0 if all of its nodes are fixed.
  Index of_dof(Index dof) const { return find(dof_group_[dof]); }
  Index of_row(Index row) const { return find(row_group_[row]); }
  Index of_contact(std::size_t contact) const { return find(contact_groups_[contact].first); }
  /// The group of a contact's other side: the same if they are connected.
  Index of_other_side(std::size_t contact) const { return find(contact_groups_[contact].second); }

  /// The groups of a contact's two sides, without what contacts connect; the same if there is only one.
  std::pair<Index, Index> sides(std::size_t contact) const { return contact_groups_[contact]; }

  /// Diagonal of the bounding box of the nodes of a group and the fixed nodes connected to it, or twice the largest
  /// radius of gyration of its bodies if that is larger, m; for a single point the length scale of the model.
  double length(Index group) const { return size_[group].length; }
  /// The same for each kind of motion: a length, 1 rad, and 1.
  double length(Index group, MotionKind kind) const {
    return kind == MotionKind::translation ? length(group) : 1.0;
  }
  /// Largest distance of its nodes from the origin, m, to which the rounding of coordinates is proportional.
  double distance_from_origin(Index group) const { return size_[group].distance_from_origin; }
  /// Gap up to which a contact counts as closed, m: rounding of coordinates and of lever arms.
  double closing_distance(std::size_t contact) const;

  /// Updates the largest speeds of each group and kind with those in v, m/s, rad/s and the unit of scalars.
  void raise_speeds(const Vector& v, std::vector<PerKind>& speed) const;
  /// Raises the speed of each kind to at least a thousandth of the equivalent of the other kinds.
  void balance_speeds(std::vector<PerKind>& speed) const;

 private:
  struct Size {
    double length = 0.0, distance_from_origin = 0.0;
    Eigen::AlignedBox3d box;
  };

  /// Rounding error of coordinates and lever arms of a group, m.
  double rounding_of(Index group) const {
    return sum_rounding * length(group) + coordinate_rounding * distance_from_origin(group);
  }
  Index find(Index group) const { return root_[group]; }  // after merging
  Index top(Index group) const;                           // during merging
  void join_by_elements();
  /// Returns whether any groups were merged.
  bool join_by_contacts(const Configuration& q_n, const Vector& v_n, double h,
                        std::span<const ContactState> states_n);
  void measure(const Configuration& q);

  const System* system_;
  const Scales* scales_;
  std::vector<Index> dof_group_, row_group_;
  std::vector<std::pair<Index, Index>> contact_groups_;  ///< of the two sides; the same if there is only one
  std::vector<std::size_t> joining_;                     ///< contacts between two groups
  std::vector<std::pair<Index, Index>> places_;          ///< node and a group to which it is connected
  std::vector<double> gyration_;  ///< twice the largest radius of gyration of each group, m
  std::vector<Index> root_;       ///< merged group of each group for the step
  std::vector<Size> size_;
  std::vector<PerKind> speed_n_;  ///< buffer
  std::vector<double> gap_n_;     ///< gaps of the contacts in joining_, m
};

}  // namespace picus
