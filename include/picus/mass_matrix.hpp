#pragma once

/// The mass matrix M(q) of a System in natural layout: all velocity components, prescribed ones included.

#include <picus/sparse_matrix.hpp>
#include <picus/system.hpp>

#include <span>

namespace picus {

class MassMatrix {
 public:
  /// Fixes the pattern and assembles M at the model's initial configuration. `system` must outlive the matrix.
  explicit MassMatrix(const System& system);

  /// Assembles M(q); returns immediately if no element's mass depends on q.
  void assemble(const Configuration& q);
  /// Whether no element's mass depends on q.
  bool is_constant() const { return is_constant_; }

  /// The mean of this matrix and `other`, of the same system, in the columns marked by a nonzero value; `other` in the
  /// rest.
  void average(const MassMatrix& other, std::span<const char> marked);

  /// out = M w.
  void multiply(const Vector& w, Vector& out) const;
  /// v^T M v.
  double quadratic(const Vector& v) const;
  /// M_ii.
  double diagonal(Index dof) const;

  /// M as last assembled, velocity_count() rows and columns.
  const SparseMatrix& matrix() const { return matrix_; }

 private:
  /// An element whose mass varies.
  struct Block {
    const Inertia* role;
    std::vector<Index> target;  ///< position of each local entry in the values, column by column
  };
  /// An entry of a row.
  struct RowEntry {
    Index column;
    Index place;  ///< position of its value
  };
  void list_rows();

  SparseMatrix matrix_;
  std::vector<Block> varying_;
  std::vector<double> constant_values_;  ///< sum over the elements of constant mass; empty if no mass varies
  std::vector<double> local_;
  bool is_constant_ = true;
  const Threads* threads_;             ///< threads of the system
  std::vector<Index> first_in_row_;    ///< index into row_entries_, and the end; with several threads only
  std::vector<RowEntry> row_entries_;  ///< in the order of the columns
};

}  // namespace picus
