#pragma once

/// What moves together, how large and how fast it is: residuals are measured against that, so that neither the place of the
/// origin nor a fast body far away changes a motion.

#include <picus/solvers/subproblems/scales.hpp>

#include <span>
#include <vector>

namespace picus {

/// Groups of nodes that elements join, but for loads. Nodes that are fixed, as the ground, join nothing. A contact between two groups joins
/// them in a step in which it is closed or may close.
class BodyGroups {
 public:
  /// At the start of the model; both must outlive it.
  BodyGroups(const System& system, const Scales& scales, const MassMatrix& mass);

  /// Measures the groups at q_n and joins them for a step of size h. `states_n` are those of the contacts at t_n.
  void begin_step(const Configuration& q_n, const Vector& v_n, double h,
                  std::span<const ContactState> states_n);

  Index count() const { return count_of(root_); }
  /// The group of a component, of a bilateral row, and of a contact; 0 if all of its nodes are fixed.
  Index of_dof(Index dof) const { return find(dof_group_[dof]); }
  Index of_row(Index row) const { return find(row_group_[row]); }
  Index of_contact(std::size_t contact) const { return find(contact_groups_[contact].first); }
  /// The group of a contact's other side: the same where they are joined.
  Index of_other_side(std::size_t contact) const { return find(contact_groups_[contact].second); }

  /// Diagonal of the box about the nodes of a group and those that hold it, or twice the largest radius of gyration of its
  /// bodies if that is more, m; of a single point the length scale of the model.
  double length(Index group) const { return size_[group].length; }
  /// The same as a length for each kind of motion: 1 rad, and 1.
  double length(Index group, MotionKind kind) const {
    return kind == MotionKind::translation ? length(group) : 1.0;
  }
  /// Largest distance of its nodes from the origin, m: coordinates are rounded to a part of it.
  double reach(Index group) const { return size_[group].reach; }
  /// Up to this gap a contact counts as closed, m: rounding of coordinates and of arms.
  double closing_distance(std::size_t contact) const;

  /// Raises the largest speeds of each group and kind by those in v, m/s, rad/s and the unit of scalars.
  void raise_speeds(const Vector& v, std::vector<PerKind>& speed) const;
  /// A speed of one kind counts at least as a thousandth of what those of the others correspond to.
  void balance_speeds(std::vector<PerKind>& speed) const;

 private:
  struct Size {
    double length = 0.0, reach = 0.0;
    Eigen::AlignedBox3d box;
  };

  /// What coordinates and arms of a group are rounded by, m.
  double rounding_of(Index group) const {
    return sum_rounding * length(group) + place_rounding * reach(group);
  }
  Index find(Index group) const { return root_[group]; }  // once joined
  Index top(Index group) const;                           // while joining
  void join_by_elements();
  /// Whether there was something to join.
  bool join_by_contacts(const Configuration& q_n, const Vector& v_n, double h,
                        std::span<const ContactState> states_n);
  void measure(const Configuration& q);

  const System* system_;
  const Scales* scales_;
  std::vector<Index> dof_group_, row_group_;
  std::vector<std::pair<Index, Index>> contact_groups_;  ///< of the two sides; the same if there is one
  std::vector<std::size_t> joining_;                     ///< contacts between two groups
  std::vector<std::pair<Index, Index>> places_;          ///< node and a group it belongs to or holds
  std::vector<double> gyration_;                         ///< twice the largest radius of each group, m
  std::vector<Index> root_;                              ///< of the group that each group is in for the step
  std::vector<Size> size_;
  std::vector<PerKind> speed_n_;  ///< buffer
  std::vector<double> gap_n_;     ///< of the contacts that join, m
};

}  // namespace picus
