#pragma once

/// Reduction of a flexible body to a few shapes (Craig and Bampton 1968; free bodies in a frame of mean axes as Buckens):
///
///     Model part("rod");
///     ...                                                    // a mesh at rest, without loads
///     const ReducedBasis rod = reduce(part, {.interfaces = {{.name = "big end", .nodes = {mesh.first()}},
///                                                           {.name = "small end", .nodes = {mesh.last()}}},
///                                            .modes = 8});
///
/// The shapes are the static response to a unit displacement and rotation of each interface, with the others fixed, the
/// lowest `modes` vibration modes with all interfaces fixed, and any user-defined `shapes`; they are then made
/// orthogonal to one another in K and M (M_ee = I, K diagonal). Without interfaces they are the lowest modes of the
/// body.
///
/// The frame of the reduced body is one of:
/// - the axes of the part's model, where the part is fixed to its ground (Model::fix),
/// - one of the interfaces (`frame`), whose own shapes are left out,
/// - mean axes (default of free bodies): the frame moves such that deformations have no momentum. At the start it is at the
///   origin of the part's model, with its axes.

#include <picus/node.hpp>
#include <picus/reduced_basis.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace picus {

class Model;

/// How an interface moves with its nodes.
enum class InterfaceKind : std::uint8_t {
  rigid,    ///< its nodes move as one rigid body
  average,  ///< it has the mean motion of its nodes, and forces are distributed to them without stiffening
};

/// An interface of a part: a frame with six displacements, or a point with three if it has a single point node.
struct ReductionInterface {
  std::string name;                             ///< of the interface, unique in the part
  std::vector<Node> nodes;                      ///< frames and points of the part, none fixed
  InterfaceKind kind = InterfaceKind::rigid;    ///< how it moves with them
  std::optional<Vec3> position = std::nullopt;  ///< m; by default the mean of its nodes
};

/// A user-defined shape: a beam function, a polynomial, a measured mode. Its magnitude does not matter, and a rigid
/// motion in it is removed: the motion of the interface that is the frame, or the part with momentum in mean axes.
struct ReductionShape {
  /// Displacement of the material at X, both in m along the axes of the part.
  std::function<Vec3(const Vec3& X)> translation;
  /// Small rotation there, rad, of frame nodes; may be empty if the part has none.
  std::function<Vec3(const Vec3& X)> rotation = {};
};

/// Options of reduce().
struct ReductionOptions {
  std::vector<ReductionInterface> interfaces = {};  ///< where joints and loads act; none: a free body
  int modes = 10;  ///< vibration modes: with interfaces fixed, or of the whole body if there are none; >= 0
  std::vector<ReductionShape> shapes =
      {};                        ///< further shapes; they keep rigid interfaces rigid and fixed nodes fixed
  bool interface_shapes = true;  ///< whether unit displacements of the interfaces are shapes
  std::string frame = {};        ///< an interface, or empty
  /// Damping ratio of all modes; without it the damping of the part's elements is projected on the shapes.
  std::optional<double> damping_ratio = std::nullopt;
  /// Whether centrifugal forces stiffen the body: their geometric stiffness, from the stresses of a steady spin. Forces
  /// that are linear in displacements (MatrixCoupling) have none, as if it were false.
  bool spin_stiffening = true;
  /// Whether forces and moments at interfaces stiffen or soften the body (a rod under tension, a column). Forces that are
  /// linear in displacements do not, as if it were false.
  bool interface_stiffening = true;
  /// Nodes that do not belong to interfaces, where forces and moments are to stiffen or soften the body in the same
  /// way: nodes in contact or under load. Each costs a static solution and three matrices of the size of the stiffness,
  /// six for a frame.
  std::vector<Node> loaded_nodes = {};
  /// Angular velocity, rad/s, beyond which a run ends. By default there is no limit with stiffening; without it the
  /// limit is a tenth of the lowest natural angular frequency, where the error of w^2 is 1 %.
  std::optional<double> largest_spin = std::nullopt;
  /// Force, N, and moment, N m, at an interface beyond which a run ends. By default there is no limit with stiffening;
  /// without it the limit is 1 % of the buckling load of a uniform rod with the same mass, lowest natural frequency and
  /// length, where the error of w^2 is about 1 %.
  std::optional<double> largest_force = std::nullopt;
  std::optional<double> largest_moment = std::nullopt;  ///< see largest_force
  /// How many of the lowest frequencies are compared with those of the full body.
  int checked_frequencies = 6;
};

/// The part must be in equilibrium without loads in its initial configuration. Throws OptionError for an option out of
/// range, ModelError for an interface that is empty, fixed, or whose rotation its nodes do not determine, for a loaded
/// node that does not belong to the part, or for a shape that does not suit the part, and SolverError where the part is
/// not in equilibrium or a mechanism.
ReducedBasis reduce(const Model& part, const ReductionOptions& options = {});

}  // namespace picus
