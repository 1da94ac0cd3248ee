#pragma once

/// A structure given by the mass and stiffness matrices of another finite element program: nodes and a
/// MatrixCoupling for each pair of nodes that the matrices couple. It is meant for reduce() (docs/elements/reduced.md):
/// displacements are small, and the structure does not follow large rotations.

#include <picus/elements/reduced/matrix_coupling.hpp>
#include <picus/matrix_entries.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace picus {

/// The arguments of add_matrix_part().
struct MatrixPartOptions {
  /// A node of the other program.
  struct PartNode {
    std::string name;              ///< unique in the model
    Vec3 position = Vec3::Zero();  ///< m
  };
  /// The degree of freedom to which a row and column of the matrices belong.
  struct Row {
    Index node;           ///< in `nodes`, from 0
    Component component;  ///< x, y, z, or rx, ry, rz about the inertial axes
  };
  std::string name;             ///< of the part; its elements begin with it
  std::vector<PartNode> nodes;  ///< in the order of the rows, unless `rows` are given
  /// What the rows stand for, each component at most once. A node that has rotations becomes a frame, another one a
  /// point; components without a row are fixed. By default each node has three translations, or six components if there
  /// are six rows for each.
  std::vector<Row> rows = {};
  MatrixEntries stiffness;     ///< N/m, N/rad, N m/rad; symmetric to 1e-9 of the largest entry
  MatrixEntries mass;          ///< kg, kg m, kg m2; likewise
  MatrixEntries damping = {};  ///< N s/m and so on; likewise; empty: none
};

/// The result of add_matrix_part().
struct MatrixPart {
  std::vector<Node> nodes;                            ///< in the order of the options
  std::vector<std::pair<std::string, Node>> by_name;  ///< sorted by name

  /// The node of this name. Throws ModelError if there is none.
  Node node(std::string_view name) const;
};

/// Throws ModelError for matrices of the wrong size, with indices out of range, not finite,
/// not symmetric or with a negative diagonal, and for rows that are given twice or stand for no component of a node.
MatrixPart add_matrix_part(Model& model, const MatrixPartOptions& options);

}  // namespace picus
