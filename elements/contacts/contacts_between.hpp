#pragma once

/// Contacts between surfaces, detected while they move: between all surfaces of a model, or between those that are
/// named. The search is repeated for each step (contact_set.hpp) and needs no settings.
///
///     vertex to face      the gap is the distance of the vertex from the plane of the face
///     edge to edge        two sharp edges that cross: along their common normal
///     round to anything   the distance of the closest points minus the radii (feature_contact.hpp)
///
/// A box on a box has contacts at the corners of the area where they overlap; a capsule on a table at its two ends,
/// and, if it overhangs, also where it crosses the edge of the table.
///
/// For deformable solids (shapes::Faces) the triangles of the surface come into contact:
///
///     node or corner to triangle    the distance from its plane
///     ball, end of a capsule        the distance from the nearest triangle, edge or node, minus the radius
///     edge to edge of a face        of a box or a capsule, along their common normal
///     node to box or capsule        as for a corner
///
/// Between two solids, the nodes of each contact the faces of the other (two passes), and the sharp edges of the
/// coarser one, with longer face edges on average, those of the finer one. Nodes that coincide share one contact. A
/// uniform pressure is transmitted between non-matching meshes with local errors near the surface, while its resultant
/// is exact. Without two_pass the nodes of the finer surface contact the faces of the coarser one (of two equally fine
/// ones the solid named first counts as the finer), but of the nodes of the coarser surface only those on its sharp
/// edges contact the finer one: a corner that lies between nodes would not be supported otherwise. Then the other nodes
/// of the coarser surface may penetrate the finer one, and the local errors are two to ten times as large. A point counts
/// as inside down to a depth of half the shortest edge of the face. Diagonals of faces are not edges: where a face is
/// warped, an edge of a box may penetrate it by the amount of the warp.
///
/// There are no contacts between surfaces of one body, of bodies connected by a joint, neighbouring parts of a rope,
/// surfaces of faces or points that share nodes, nor, unless self_contact is set, between parts of the same
/// surface.
///
/// drilling_radius and rolling_arm give contacts the resistance of a small area (sphere_to_face.hpp) if one of their
/// features is round: balls, ends and sides of capsules, ropes, sides and rims of cylinders and cones. Contacts of
/// sharp corners and edges with flat faces or each other, and the points on which a flat end stands, have none: there
/// the areas are those between several contacts.
///
/// With self_contact, parts of a rope may touch if they are at least pi radii apart along it, half a turn around
/// its own surface. Parts of a surface of faces may touch if they are two mean edge lengths apart at the start, or
/// face each other across a gap; there all nodes contact all faces, and coincident nodes share one contact. Balls of
/// one set may touch if they do not overlap at the start.

#include <picus/contact_set.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/model.hpp>

#include <array>
#include <string>
#include <vector>

namespace picus {

/// Friction and restitution between two materials.
struct MaterialPair {
  std::array<std::string, 2> materials;  ///< material names of the surfaces, in either order
  Friction mu = 0.0;                     ///< coefficient of friction, >= 0, or a law (friction_law.hpp)
  double e_n = 0.0;                      ///< normal coefficient of restitution, in [0, 1]
  double e_t = 0.0;                      ///< tangential coefficient of restitution, in [0, 1]
  /// The impact law to which e_n refers: Newton's, Poisson's, or that of Liu, Zhao and Brogliato.
  ImpactLaw impact_law = {};
  double drilling_radius = 0.0;  ///< epsilon of round features, m, >= 0
  double rolling_arm = 0.0;      ///< c of round features, m, >= 0
  double anisotropy = 1.0;       ///< across the grain over that along it, > 0
};

struct SurfacePairs;

class ContactsBetween : public Element, public ContactSet {
 public:
  struct Parameters {
    std::string name;
    /// Each of these may touch every other one; empty: all surfaces of the model, whenever they are added.
    std::vector<Handle<Surface>> surfaces = {};
    /// If not empty: each of `surfaces` may touch each of these, but none of its own group.
    std::vector<Handle<Surface>> with = {};
    /// Pairs that are excluded.
    std::vector<std::array<Handle<Surface>, 2>> except = {};
    bool joined_bodies_touch = false;  ///< also bodies connected by a joint
    /// Also unconnected parts of one rope, of the faces of one solid, and of one set of points.
    bool self_contact = false;
    /// Between two solids: whether the nodes of each contact the faces of the other (two passes), or those of the finer one
    /// alone (fewer contacts, less accurate pressures).
    bool two_pass = true;
    Friction mu = 0.0;  ///< coefficient of friction, >= 0, or a law (friction_law.hpp)
    double e_n = 0.0;   ///< normal coefficient of restitution, in [0, 1]
    double e_t = 0.0;   ///< tangential coefficient of restitution, in [0, 1]
    /// The impact law to which e_n refers: Newton's, Poisson's, or that of Liu, Zhao and Brogliato.
    ImpactLaw impact_law = {};
    /// epsilon, m, >= 0: the moment about the normal of a round feature is at most mu epsilon times the normal force.
    /// Requires friction in two directions, and both surfaces to be on frames or the ground.
    double drilling_radius = 0.0;
    /// c, m, >= 0: the moment against rolling of a round feature is at most c times the normal force. Requires
    /// friction, and both surfaces to be on frames or the ground.
    double rolling_arm = 0.0;
    /// a > 0: across the grain of a surface (Surface::Parameters::grain) the coefficient is a mu, as friction lies in an
    /// ellipse (parts/grain.hpp). Between surfaces without a grain friction is isotropic. Requires friction in two
    /// directions; of two surfaces that touch, only one may have a grain.
    double anisotropy = 1.0;
    std::vector<MaterialPair> pairs = {};  ///< pairs of materials with other coefficients
    Index friction_directions = 2;         ///< 1 (models in the x-y plane) or 2
  };
  /// Throws ModelError for coefficients out of range, surfaces of another model or given twice, and a single surface
  /// without self_contact.
  ContactsBetween(const Parameters& parameters, const Model& model);

  /// Throws ModelError if two surfaces may touch in an earlier set as well, with two laws.
  void check_among_others(const Model& model) const override;
  std::unique_ptr<ContactSearch> make_search(const Model& model, std::uint32_t place) const override;
  std::vector<double> numbers(const Model& model) const override;
  std::vector<FeatureRange> features(const Model& model) const override;

 private:
  SurfacePairs make_pairs(const Model& model) const;

  Parameters parameters_;
};

}  // namespace picus
