#pragma once

/// Creates everything that a reduced body needs, in one call:
///
///     const auto basis = std::make_shared<const ReducedBasis>(reduce(part, {.interfaces = {...}, .modes = 12}));
///     const ReducedBodyMesh rod = add_reduced_body(model, {.name = "rod", .basis = basis, .gravity = {0, 0, -9.81}});
///     model.add<Hinge>({.name = "big end", .a = {crank}, .b = {rod.interface("big end")}, ...});
///
/// The frame node is called NAME, coordinates NAME.eta[0] and so on; each interface of the basis gets a massless node
/// NAME.INTERFACE tied to the body; so do nodes of the full body that are listed in `nodes` (point nodes, for contacts
/// and sensors) and those of `surface`. Elements are called like the node that they tie, NAME, NAME.damping,
/// NAME.gravity and NAME.picture.
///
/// For contacts that are detected by a search, the surface is given as faces:
///
///     const ReducedBodyMesh tooth = add_reduced_body(
///         model, {.name = "tooth", .basis = basis, .surface = face_names(part, solid.faces("flank"))});
///     model.add<Surface>({.name = "flank", .of = shapes::Faces{tooth.faces}});
///     model.add<ContactsBetween>({.name = "all", .mu = 0.3});

#include <picus/elements/forces/quadrilateral_nodes.hpp>
#include <picus/elements/reduced/reduced_attachment.hpp>
#include <picus/elements/reduced/reduced_body.hpp>

#include <array>
#include <map>
#include <optional>

namespace picus {

/// The names of the four nodes of a face, counterclockwise as seen from outside.
using FaceNames = std::array<std::string, 4>;

/// The names of the nodes of faces of a part, for the bodies made of it.
std::vector<FaceNames> face_names(const Model& part, const std::vector<QuadrilateralNodes>& faces);

/// The arguments of add_reduced_body().
struct ReducedBodyOptions {
  std::string name;                            ///< of the body; its nodes and elements begin with it
  std::shared_ptr<const ReducedBasis> basis;   ///< from reduce() or read_reduced_basis()
  Vec3 position = Vec3::Zero();                ///< of the origin of the basis, m
  Mat3 rotation = Mat3::Identity();            ///< from the axes of the basis to the inertial frame
  Vec3 velocity = Vec3::Zero();                ///< of the origin, m/s
  Vec3 angular_velocity = Vec3::Zero();        ///< in the axes of the basis, rad/s
  Vector coordinates = {};                     ///< initial eta; empty: undeformed
  std::optional<Vec3> gravity = std::nullopt;  ///< m/s2, inertial frame
  std::vector<std::string> nodes = {};         ///< nodes of the full body that get a point node
  std::vector<FaceNames> surface = {};         ///< faces of the full body whose nodes get a point node
  const Model* part =
      nullptr;  ///< the part that was reduced, as which the body is drawn; needed during the call only
};

/// The result of add_reduced_body().
struct ReducedBodyMesh {
  FrameNode frame;                                    ///< of the basis; in mean axes at the centre of mass
  std::vector<ScalarNode> coordinates;                ///< eta, one for each mode
  Handle<ReducedBody> body;                           ///< the element with inertia and strain energy
  std::map<std::string, Node, std::less<>> attached;  ///< by name of the interface or node
  std::vector<QuadrilateralNodes> faces = {};         ///< those of `surface`, in its order

  /// The node at an interface that is a frame. Throws ModelError if there is none of this name.
  FrameNode interface(std::string_view name) const;
  /// The point node at an interface that is a point, or at a node of the full body. Throws ModelError if there is none.
  PointNode point(std::string_view name) const;
};

/// Throws ModelError for a missing or wrong basis, an unknown node, and everything that Model and the elements refuse.
ReducedBodyMesh add_reduced_body(Model& model, const ReducedBodyOptions& options);

}  // namespace picus
