#pragma once

/// Contacts of all nodes of a surface with one plane face, added in one call:
///
///     add_surface_contacts(model, {.name = "floor", .nodes = mesh_nodes, .face = {.normal = {0, 1, 0}}, .mu = 0.3});
///
/// adds a NodeToFaceContact for each node, named NAME[0], NAME[1] and so on in the order of the nodes.

#include <picus/elements/contacts/node_to_face.hpp>

#include <initializer_list>
#include <vector>

namespace picus {

/// The nodes of a surface: point nodes (of solids), frame nodes (of beams) or material points.
class SurfaceNodes {
 public:
  SurfaceNodes() = default;
  // NOLINTBEGIN(google-explicit-constructor): a list of nodes is such a surface
  /// Material points of bodies and nodes.
  SurfaceNodes(std::vector<MaterialPoint> points) : points_(std::move(points)) {}
  /// The same as an initializer list.
  SurfaceNodes(std::initializer_list<MaterialPoint> points) : points_(points) {}
  /// Nodes of a solid.
  SurfaceNodes(const std::vector<PointNode>& nodes) : points_(nodes.begin(), nodes.end()) {}
  /// Nodes of a beam.
  SurfaceNodes(const std::vector<FrameNode>& nodes) : points_(nodes.begin(), nodes.end()) {}
  // NOLINTEND(google-explicit-constructor)

  /// All points, in the order given.
  const std::vector<MaterialPoint>& points() const { return points_; }

 private:
  std::vector<MaterialPoint> points_;
};

/// The arguments of add_surface_contacts().
struct SurfaceContactParameters {
  std::string name;
  SurfaceNodes nodes;  ///< at least one, each point once
  Face face;           ///< on a node other than those
  Friction mu = 0.0;   ///< coefficient of friction, >= 0, or a law (friction_law.hpp)
  double e_n = 0.0;    ///< normal coefficient of restitution, in [0, 1]
  double e_t = 0.0;    ///< tangential coefficient of restitution, in [0, 1]
  /// The impact law to which e_n refers: Newton's, Poisson's, or that of Liu, Zhao and Brogliato.
  ImpactLaw impact_law = {};
  Index friction_directions = 2;  ///< 1 (along the tangent, for planar models) or 2
  double anisotropy = 1.0;        ///< as for NodeToFaceContact
};

/// Throws ModelError if there is no node, if one is given twice, and as NodeToFaceContact does.
std::vector<Handle<NodeToFaceContact>> add_surface_contacts(Model& model,
                                                            const SurfaceContactParameters& parameters);

}  // namespace picus
