#pragma once

/// Contacts between surfaces, found while they move: all pairs of surfaces of a model, or those that are named. What touches is
/// found anew for each step (contact_set.hpp), and nothing about the search has to be set.
///
///     corner on face      the gap is the distance of the corner from the plane of the face
///     edge on edge        of two sharp edges that cross: along their common normal
///     round on anything   the distance of the closest points less the radii (feature_contact.hpp)
///
/// A box on a box has the corners of the area where they overlap, a capsule on a table its two ends, one that hangs over the
/// border the crossing with the edge besides.
///
/// Of deformable solids (shapes::Faces) the triangles touch:
///
///     node or corner on triangle    the distance from its plane
///     ball, end of a capsule        the distance from the nearest triangle, edge or node, less the radius
///     edge across a border of faces, of a box or a capsule, along their common normal
///     node on a box, a capsule      as a corner
///
/// Of two solids the nodes of the one with the shorter borders of faces, in the mean, touch the faces of the other (of equals those
/// of the one named first). So do, the other way round, the nodes on sharp edges of the other, and these edges cross those of the
/// first: else a corner that lies between nodes would have nothing below it. All nodes of both would be more conditions than the
/// surfaces can follow, and lock; therefore nodes within the faces of the coarser one may enter those of the finer one, and a
/// uniform pressure reaches other meshes with errors near the surface, while its resultant is exact. A point counts as inside down
/// to half of a border of the face. Diagonals of faces are no edges: where a face is warped, an edge of a box may enter it by its
/// warp.
///
/// Surfaces of one body, and of bodies that a joint connects, do not touch each other; neither do neighbours along a rope, surfaces
/// of faces or points that have nodes in common, nor, unless they are to touch themselves, any parts of one and the same surface.
///
/// A rope that touches itself does so from half a turn about its own surface on, pi radii along it. Parts of faces do where they are two
/// mean edges apart at the start, or face each other across a gap; all nodes touch all faces there, and one contact stands for two nodes
/// in one place. Balls of one set do where they do not overlap at the start.

#include <picus/contact_set.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/model.hpp>

#include <array>
#include <string>
#include <vector>

namespace picus {

/// Friction and restitution of two materials.
struct MaterialPair {
  std::array<std::string, 2> materials;  ///< as named by surfaces, in either order
  double mu = 0.0;                       ///< coefficient of friction, >= 0
  double e_n = 0.0;                      ///< normal restitution, in [0, 1]
  double e_t = 0.0;                      ///< tangential restitution, in [0, 1]
};

class ContactsBetween : public Element, public ContactSet {
 public:
  struct Parameters {
    std::string name;
    /// Each of them touches every other; empty: all surfaces of the model, whenever they are added.
    std::vector<Handle<Surface>> surfaces = {};
    /// Not empty: each of `surfaces` touches each of these, and none of its own group.
    std::vector<Handle<Surface>> with = {};
    /// Pairs that do not touch.
    std::vector<std::array<Handle<Surface>, 2>> except = {};
    bool joined_bodies_touch = false;  ///< also bodies that a joint connects
    /// Also parts of one rope, of the faces of one solid, and of one set of points, that do not hang together.
    bool touch_themselves = false;
    double mu = 0.0;                       ///< coefficient of friction, >= 0
    double e_n = 0.0;                      ///< normal restitution, in [0, 1]
    double e_t = 0.0;                      ///< tangential restitution, in [0, 1]
    std::vector<MaterialPair> pairs = {};  ///< of materials to which other coefficients belong
    Index friction_directions = 2;         ///< 1 (models in the plane x-y) or 2
  };
  /// Throws ModelError for coefficients out of their range and surfaces of another model.
  ContactsBetween(const Parameters& parameters, const Model& model);

  std::unique_ptr<ContactSearch> make_search(const Model& model, std::uint32_t place) const override;
  std::vector<double> numbers(const Model& model) const override;
  std::vector<FeatureRange> features(const Model& model) const override;

 private:
  Parameters parameters_;
};

}  // namespace picus
