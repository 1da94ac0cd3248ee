#pragma once

/// The interfaces of a part as linear functions of its displacements.

#include <picus/solvers/analyses/bordered_stiffness.hpp>
#include <picus/solvers/analyses/reduction.hpp>
#include <picus/system.hpp>

#include <string>
#include <vector>

namespace picus::solvers {

struct PartInterface {
  std::string name;
  NodeKind kind;  ///< frame: 6 displacements (3 translations, 3 small rotations, axes of the part); point: 3
  std::vector<Node> nodes;
  std::vector<Index> movable;  ///< displacements that are not zero: all, or three in a plane
  Vec3 position;               ///< m
  bool is_tied;                ///< its displacements are unknowns of their own, to which the nodes are tied
  /// Each displacement as a sum over velocity components (natural layout); exact for nodes that move as a rigid body.
  std::vector<BorderRow> fit;
  /// Equations of tied nodes: components (natural layout) and displacements of the interface, numbered from 0.
  struct Tie {
    std::vector<std::pair<Index, double>> components;
    std::vector<std::pair<Index, double>> displacements;
  };
  std::vector<Tie> ties;

  Index size() const { return kind == NodeKind::frame ? 6 : 3; }
  /// The displacements of each column of shapes in natural layout.
  Eigen::MatrixXd displacements(const Eigen::MatrixXd& shapes) const;
};

/// Unit translations and rotations about the origin of all nodes, natural layout.
Eigen::MatrixXd rigid_motions(const System& system);
/// Those of them that no fixed component prevents.
std::vector<Index> find_free_motions(const System& system);
/// Whether z, rx and ry of all frames, z of all points and nothing else is fixed (Model::restrict_to_plane).
bool is_restricted_to_plane(const System& system);

/// Throws ModelError for an interface that is empty, fixed, or whose rotation its nodes do not determine.
std::vector<PartInterface> find_interfaces(const System& system,
                                           const std::vector<ReductionInterface>& wanted);

/// The mean motion of three nodes far apart, which fixes a free part without stressing it; a single frame suffices.
PartInterface find_support(const System& system);

}  // namespace picus::solvers
