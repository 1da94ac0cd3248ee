#pragma once

/// The search of ContactsBetween: a broad phase that finds the overlapping bounding boxes of parts of surfaces
/// (box_tree.hpp), then a narrow phase that finds the features of two parts that are near each other
/// (touching_features.hpp). Parts are vertices, edges and convex bodies.
///
/// Features are chosen at the predicted end of a step, where the contact conditions of the step hold. If two parts
/// penetrate deeply there, as before an impact, the nearest features may be those of the opposite side: then they are
/// chosen at the start of the step. A body that passes through another one within the step, as a bullet through a
/// plate, is near the opposite side at the end: then they are chosen where the two first touch.
///
/// Surfaces of faces have three kinds of parts: triangles, which make contact with points; edges, which make contact
/// with edges; and nodes, which make contact with convex bodies and capsules. Points have parts for this purpose
/// alone: corners of convex bodies, ends of capsules and nodes of other surfaces of faces. All triangles near a point
/// are considered together (triangle_mesh.hpp). A point that passes through a triangle within a step is in contact
/// with it, even if another one is nearer afterwards.
///
/// A rigid triangle mesh is a single part with its own search (polyhedron_search.hpp). A cylinder or cone is a single
/// part with its own features (touching_rounds.hpp): vertices are rims and tips, edge 0 is the side, faces are the
/// ends.

#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/parts/grain.hpp>
#include <picus/elements/contacts/search/box_tree.hpp>
#include <picus/elements/contacts/shapes/edge_crossing.hpp>
#include <picus/elements/contacts/shapes/polyhedron_search.hpp>
#include <picus/elements/contacts/shapes/touching_features.hpp>
#include <picus/elements/contacts/shapes/touching_rounds.hpp>
#include <picus/model.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace picus {

/// The law between two surfaces. Resistance to drilling and rolling is that of round features only.
struct SurfaceLaw {
  ContactLaw sliding;            ///< friction, restitution and impact law
  double drilling_radius = 0.0;  ///< epsilon, m
  double rolling_arm = 0.0;      ///< c, m
  double anisotropy = 1.0;       ///< a of surfaces with a grain
  /// Whether there is resistance to drilling or rolling.
  bool resists() const { return drilling_radius > 0 || rolling_arm > 0; }
};

/// The surfaces of a SurfaceSearch and the contact laws between them.
struct SurfacePairs {
  std::string name;                      ///< name of the contact set
  std::vector<const Surface*> surfaces;  ///< each once
  /// For each surface: bit 1 in the first group, bit 2 in the second; only surfaces of different groups may touch.
  /// Empty: all may touch.
  std::vector<unsigned> groups;
  std::vector<std::pair<Index, Index>> refused;  ///< indices of surfaces that do not touch, the smaller first
  bool joined_bodies_touch = false;              ///< also bodies connected by a joint
  bool self_contact = false;                     ///< also unconnected parts of one surface
  bool two_pass = true;                          ///< nodes of both of two solids contact faces of the other
  SurfaceLaw law;                                ///< for materials in none of `pairs`
  std::vector<MaterialPair> pairs;               ///< material pairs with coefficients of their own
};

/// Whether surfaces of two groups of SurfacePairs::groups may touch.
inline bool groups_may_touch(unsigned a, unsigned b) {
  return ((a & 1U) != 0 && (b & 2U) != 0) || ((a & 2U) != 0 && (b & 1U) != 0);
}

class SurfaceSearch : public ContactSearch {
 public:
  /// For runs of `model`, in which the set has index `place`. Throws ModelError for friction whose moment no node can
  /// carry, for resistance to drilling or rolling of surfaces on point nodes, and for anisotropic friction between two
  /// surfaces that both have a grain.
  SurfaceSearch(SurfacePairs pairs, const Model& model, std::uint32_t place);

  void check_start(const Configuration& q) override;
  void find(const Configuration& q, const Configuration& end, std::span<const ContactKey> previous,
            std::vector<ContactKey>& found) override;
  double find_undetected(const Configuration& q, std::span<const ContactKey> present,
                         std::vector<ContactKey>& undetected) override;
  InRole<Contact> contact(const ContactKey& key) override;
  /// ContactSet::features.
  std::vector<FeatureRange> features() const;

 private:
  /// Parts closer than this fraction of the smaller size are in the list, whether they move or not; for those that
  /// were in it before, one and a half times as much, so that contacts do not come and go with vibrations.
  static constexpr double skin = 0.01;
  static constexpr double hysteresis_skin = 1.5 * skin;

  /// Penetration of a rim into the faces of a deformable solid between its contact points, as a fraction of the size,
  /// above which it has contacts at other points in the next step.
  static constexpr double between_points = 1e-6;

  static constexpr double infinite = std::numeric_limits<double>::infinity();
  static constexpr auto is_vertex = ShapeFeature::Kind::vertex;
  static constexpr auto is_edge = ShapeFeature::Kind::edge;
  static constexpr auto is_face = ShapeFeature::Kind::face;

  /// The values of ContactKey::kind.
  enum Kind : std::uint32_t {
    closest,  ///< closest points of round features, or a corner on a face
    along,    ///< sharp edges that cross: n is along e_a x e_b
    against,  ///< n is opposite to e_a x e_b
    /// The rim point with index 0 (touching_rounds.hpp); those of the others follow. The lowest point of a rim, and
    /// rims that touch at one point, are `closest`; rims that touch at two points are `along` and `against`, for
    /// their two sides.
    first_rim_point,
    /// `closest`, `along` and `against` for the diagonal of a quadrilateral, given by its first triangle.
    first_diagonal = first_rim_point + rim_points,
  };
  /// Which parts a part can be in contact with.
  enum class Role {
    ordinary,   ///< others of this kind, and features of meshes unless it is a face
    corner,     ///< with triangles
    border,     ///< with edges of meshes; if it belongs to a mesh, with those of finer ones
    triangle,   ///< of a mesh: with points
    mesh_edge,  ///< with edges
    mesh_node,  ///< with convex bodies, capsules, triangles of meshes; in one pass of coarser ones, and all from sharp edges
  };
  /// A part of a surface, with a bounding box of its own.
  struct Part {
    Index surface;
    ShapeFeature feature;  ///< a vertex, an edge or a triangle; face 0 represents a whole convex body
    double size;           ///< m
    Role role = Role::ordinary;
    bool is_on_ridge = false;  ///< a sharp edge of a mesh, or a node on one
  };
  /// Features of all surfaces are numbered consecutively: these are the first numbers of those of one surface, with
  /// vertices before edges before faces.
  struct Features {
    std::uint32_t first;
    std::uint32_t edges;
    std::uint32_t faces;
    std::uint32_t end;
  };
  struct SurfaceFeature {
    Index surface;
    ShapeFeature feature;
  };
  /// A plane on which a surface rests, or may come to rest: n . x = level, n pointing towards the surface.
  struct Support {
    Vec3 normal;
    double level;  ///< m
  };
  /// A pair of features in contact, or nearly so.
  struct Candidate {
    ContactKey key;
    double gap;
    Vec3 point = Vec3::Zero();   ///< for convex bodies only
    Vec3 normal = Vec3::Zero();  ///< likewise; points towards a
    bool is_needed = false;      ///< for a rim point on which the body leans
  };
  /// Search data of a rigid triangle mesh.
  struct Solid {
    std::unique_ptr<PolyhedronSearch> search;
    std::vector<MaterialPoint> box;  ///< corners of its bounding box
  };
  /// The configurations at the start and at the predicted end of a step.
  struct StepEnds {
    const Configuration& begin;
    const Configuration& end;
  };
  /// The contact created for a key.
  struct CachedContact {
    std::unique_ptr<Element> element;
    InRole<Contact> contact;
  };

  /// The contacts that are gathered in a map.
  class GatheredKeys {
   public:
    bool has(std::span<const ContactKey> keys) const { return is_set_ && std::ranges::equal(keys, keys_); }
    void forget() { is_set_ = false; }
    void set(std::span<const ContactKey> keys) {
      keys_.assign(keys.begin(), keys.end());
      is_set_ = true;
    }

   private:
    std::vector<ContactKey> keys_;
    bool is_set_ = false;
  };

  /// Clears the vectors of a map, which keep their memory, and erases those that were empty already.
  template <class Map>
  static void clear_values(Map& map) {
    std::erase_if(map, [](const auto& entry) { return entry.second.empty(); });
    for (auto& [key, value] : map) value.clear();
  }
  void list_parts();
  void list_joined(const Model& model);
  void refuse_friction_without_rotations() const;
  void refuse_resistance_without_rotations() const;
  void refuse_two_grains() const;
  std::vector<Index> first_parts() const;
  bool may_touch(Index part_a, Index part_b) const;
  std::vector<Index> groups() const;
  bool is_half_space(Index surface) const { return surfaces_[surface]->is_half_space(); }
  void measure(const Configuration& q, const Configuration& end, bool inflated);
  template <class Visit>
  void for_each_pair(Visit&& visit);
  double size_of_pair(Index part_a, Index part_b) const;
  double skin_of(Index surface_a, Index surface_b) const;
  bool are_bodies(Index surface_a, Index surface_b) const;

  // For meshes, in surface_search_meshes.cpp.
  void list_faces_at(Index surface);
  void list_mesh_parts(Index surface);
  void refuse_common_nodes();
  bool roles_match(Index part_a, Index part_b) const;
  bool is_finer(Index surface_a, Index surface_b) const;
  void extend_below(const Configuration& q, const Part& part, Box& box) const;
  void gather_triangles(Index part_a, Index part_b);
  bool is_round_on_triangles(Index part_a, Index part_b) const;
  bool is_second_of_cell(Index part) const;
  bool is_seen_from_first(Index part_a, Index part_b) const;
  double motion_of(Index part) const;
  Support plane_of(const Configuration& q, Index half_space) const;
  bool is_above(Index part, std::span<const Support> planes, double distance) const;
  template <class Visit>
  void for_each_point_on_mesh(Visit&& visit);
  void place_triangles(const Configuration& q, std::span<const std::array<Index, 2>> pairs,
                       std::vector<PlacedTriangle>& triangles) const;
  TouchingPoint point_of(const Configuration& q, const Part& part) const;
  EdgeOfFaces edge_of(const Configuration& q, const Part& part) const;
  void list_on_mesh(const Configuration& q, std::span<const std::array<Index, 2>> pairs,
                    const MeshCandidateOptions& options, std::vector<Candidate>& near);
  void find_on_mesh(const Configuration& q, const Configuration& end, std::span<const ContactKey> previous,
                    std::span<const std::array<Index, 2>> pairs, std::vector<ContactKey>& found);
  void remove_duplicate_nodes(const Configuration& q, std::size_t first,
                              std::vector<ContactKey>& found) const;
  void list_on_edge_of_mesh(const Configuration& q, const Part& a, const Part& b, double reach,
                            std::vector<Candidate>& near) const;
  void list_node_and_body(const Configuration& q, const Part& node, const Part& body, double reach,
                          std::vector<Candidate>& near) const;
  void list_node_and_capsule(const Configuration& q, const Part& node, const Part& capsule, double reach,
                             std::vector<Candidate>& near) const;
  void gather_previous(std::span<const ContactKey> previous);
  std::span<const FeaturePair> previous_of(Index surface_a, Index surface_b) const;

  // For bodies that pass through each other within a step, in surface_search_paths.cpp.
  /// Gap of a contact of this set at q, m.
  double gap_of(const ContactKey& key, const Configuration& q);
  /// Whether the features in `candidates_`, chosen at the end of the step, are on the far side of a body that the other one
  /// passes through; then `before_` contains those of the first contact, found by conservative advancement along the path
  /// q_n o exp(s dq) (Mirtich 1996).
  bool pass_through(Index part_a, Index part_b, double thickness);
  /// Adds to `candidates_` the features that are near each other at the start of the step and have passed each other at
  /// its end.
  void add_passed(Index part_a, Index part_b, double thickness, double reach);
  /// Computes the path of two parts in the step; follow_path() sets `between_` to its point s in [0, 1].
  void set_path(const std::array<Index, 2>& parts);
  void follow_path(const std::array<Index, 2>& parts, double s);

  // For self-contact, in surface_search_itself.cpp.
  bool are_apart(Index part_a, Index part_b) const;
  bool are_apart_on_rope(const Part& a, const Part& b) const;
  bool are_apart_on_mesh(const Part& a, const Part& b) const;

  // For rigid triangle meshes, in surface_search_polyhedra.cpp.
  void list_polyhedron(Index surface);
  void refuse_inside(const Configuration& q, double part_of_size) const;
  bool is_closed(Index surface) const;
  Index triangle_count(Index surface) const;
  std::array<Vec3, 3> triangle(const Configuration& q, Index surface, Index t) const;
  std::vector<Vec3> points_inside(const Configuration& q, Index surface) const;
  bool is_polyhedron(Index part) const;
  /// Whether one of them is a rigid triangle mesh, and the other one neither a cylinder nor a cone.
  bool are_on_solid(Index part_a, Index part_b) const;
  Box region_of(const StepEnds& step, const Part& part, const Part& solid, double thickness) const;
  void list_points_on_solid(const StepEnds& step, std::span<const SurfaceFeature> points, Index solid,
                            const StepLimits& limits, std::vector<Candidate>& near) const;
  void list_edges_on_solid(const StepEnds& step, std::span<const SurfaceFeature> edges, Index solid,
                           const StepLimits& limits, std::vector<Candidate>& near) const;
  void list_corners_of_solid(const StepEnds& step, Index solid, const Part& other, const StepLimits& limits,
                             std::vector<Candidate>& near) const;
  void list_with_solid(const StepEnds& step, Index part_a, Index part_b, const StepLimits& limits,
                       std::vector<Candidate>& near) const;
  void find_on_solid(const StepEnds& step, std::span<const ContactKey> previous, Index part_a, Index part_b,
                     std::vector<ContactKey>& found);
  double cosine_of(const Candidate& one, const Candidate& other) const;
  void remove_duplicates(std::span<const ContactKey> previous, double size,
                         std::vector<Candidate>& near) const;
  void reduce_contacts_by_plane(std::span<const ContactKey> previous, double size,
                                std::vector<Candidate>& near) const;

  // For cylinders and cones, in surface_search_round.cpp.
  bool is_round(Index surface) const { return surfaces_[surface]->round_solid() != nullptr; }
  bool is_round_key(const ContactKey& key) const;
  void place_body(const Configuration& q, const Part& part, ConvexBody& body) const;
  RoundFeature round_feature(const SurfaceFeature& place, std::uint32_t kind) const;
  void gather_previous_rounds(std::span<const ContactKey> previous);
  std::span<const ContactKey> previous_rounds(Index surface_a, Index surface_b) const;
  Vec3 normal_seen_by(const Configuration& q, Index surface, const SurfaceFeature& face) const;
  /// Rim points on which a body may stand.
  struct RimPoints {
    std::vector<std::uint32_t> all;
    std::vector<std::uint32_t> lowest;  ///< those on which it leans at the start and the end of the step
  };
  /// Valid until the next call; nullptr: the lowest point of the rim makes contact.
  const RimPoints* points_of_rim(const SurfaceFeature& rim, const SurfaceFeature& face,
                                 std::span<const ContactKey> previous, double size);
  void add_points_over_soft_face(const RoundFeature& circle, const std::array<Vec3, 2>& slopes, double size);
  void list_round(const Configuration& q, const Part& a, const Part& b, double reach,
                  std::vector<Candidate>& near);
  void reduce_round_contacts(std::span<const ContactKey> previous, double size, std::vector<Candidate>& near);
  static bool is_rim_point(const Candidate& one) { return one.key.kind >= first_rim_point; }
  static std::vector<Candidate>::iterator most_crowded_rim_point(std::vector<Candidate>& near);
  double lowest_level(const Configuration& q, Index surface, const Vec3& n) const;
  double extent(Index surface) const;
  std::string round_text_of(const SurfaceFeature& place) const;
  std::string round_feature_text(const SurfaceFeature& place) const;
  CachedContact make_round(const ContactKey& key) const;
  /// Whether its features are those of one body or of the ground.
  bool is_rigid(Index surface) const;
  /// The points that span an edge or a triangle.
  std::vector<MaterialPoint> points_of(const SurfaceFeature& spanned, bool is_diagonal) const;

  // For cylinders and cones on triangles, in surface_search_round_meshes.cpp.
  struct RoundOnMesh;
  bool has_triangles(const Part& part) const;
  /// Whether it consists of faces of a deformable solid.
  bool is_deformable(Index surface) const {
    return surfaces_[surface]->mesh() != nullptr && !is_rigid(surface);
  }
  Vec3 outward_normal(const Configuration& q, const SurfaceFeature& face) const;
  void list_round_on_mesh(const Configuration& q, const Part& round, const Part& part, double reach,
                          std::vector<Candidate>& near);

  Vec3 vertex(const Configuration& q, Index surface, Index i) const;
  Placement placement(const Configuration& q, Index surface) const;
  void list_near(const Configuration& q, Index part_a, Index part_b, double reach,
                 std::vector<Candidate>& near);
  void list_points(const Configuration& q, const SurfaceFeature& a, const SurfaceFeature& b, double reach,
                   std::vector<Candidate>& near);
  void list_point_and_edge(const Configuration& q, const SurfaceFeature& a, const SurfaceFeature& b,
                           double reach, std::vector<Candidate>& near);
  void list_edges(const Configuration& q, const SurfaceFeature& a, const SurfaceFeature& b, double reach,
                  std::vector<Candidate>& near);
  void list_with_polytope(const Configuration& q, const Part& a, const Part& b, double reach,
                          std::vector<Candidate>& near);
  void gather_supports(const Configuration& q, std::span<const ContactKey> previous);
  void add_support(const Configuration& q, const SurfaceFeature& corner, const SurfaceFeature& face);
  bool shares_plane(const Configuration& q, Index resting, Index other, const Support& support) const;
  void exclude_seams(const Configuration& q, std::vector<Candidate>& near) const;
  void reduce_contacts(std::span<const ContactKey> previous, double size, std::vector<Candidate>& near);
  ContactKey key_of(const SurfaceFeature& a, const SurfaceFeature& b, std::uint32_t kind) const;
  std::uint32_t number_of(const SurfaceFeature& place) const;
  SurfaceFeature feature_of(std::uint32_t number) const;
  bool has_one_name(Index surface) const;
  std::string name_of_contact(const ContactKey& key, const std::string& a, const std::string& b) const;
  std::string text_of(const SurfaceFeature& place) const;
  SurfaceLaw law_of(Index surface_a, Index surface_b) const;
  std::optional<Grain> grain_of(Index surface_a, Index surface_b, const SurfaceLaw& law) const;
  CachedContact make(const ContactKey& key) const;

  SurfacePairs pairs_;
  const std::vector<const Surface*>& surfaces_;
  const Model* model_;
  std::uint32_t set_;
  std::vector<Part> parts_;
  std::vector<Features> features_;
  std::vector<std::vector<Node>> nodes_;      ///< of each part
  std::set<std::pair<Index, Index>> joined_;  ///< pairs of node indices, the smaller first
  std::set<std::pair<Index, Index>> refused_;
  bool has_meshes_ = false;
  std::vector<double> mean_edges_;  ///< mean edge length of each surface, m; 0 without a mesh
  std::vector<std::vector<std::vector<Index>>>
      faces_at_;               ///< of each vertex of each convex body, for contact with meshes
  std::vector<Solid> solids_;  ///< of each surface

  // Of the current step.
  const Configuration* begin_ = nullptr;                                        ///< valid during a search
  const Configuration* end_ = nullptr;                                          ///< predicted
  std::map<std::pair<Index, Index>, std::vector<ContactKey>> previous_rounds_;  ///< by surface pair
  GatheredKeys gathered_, gathered_rounds_;  ///< in previous_ and previous_rounds_
  ConvexBody body_a_, body_b_;               ///< of the pair at hand
  RimPoints rim_points_;
  std::vector<std::uint32_t> previous_points_, needed_points_;
  TouchingRounds touching_rounds_;
  std::vector<Index> numbers_;
  std::vector<std::array<Vec3, 3>> of_face_;  ///< triangles of the face at hand
  BoxTree tree_;
  bool has_tree_ = false;
  std::vector<Box> boxes_;
  std::vector<double> motion_;  ///< largest displacement of each part over the step, m
  std::vector<std::array<Index, 2>> overlaps_;
  std::vector<std::array<Index, 2>> on_meshes_;  ///< pairs of parts, a point and a triangle
  std::vector<PlacedTriangle> triangles_, triangles_end_;
  std::map<std::pair<Index, Index>, std::vector<FeaturePair>> previous_;  ///< by surface pair
  std::vector<std::vector<Support>> supports_;  ///< of each surface, at the start of the step
  std::vector<Candidate> candidates_, before_, at_touch_;
  std::vector<Candidate> chosen_, others_, on_rim_;  ///< of the pair at hand
  std::vector<Vec3> places_;                         ///< of those chosen in its plane
  Vector increment_, fraction_;  ///< from the start to the end of the step, and the part of it to `between_`
  Configuration between_;
  std::map<ContactKey, CachedContact> cache_;
};

}  // namespace picus
