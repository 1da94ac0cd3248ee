#pragma once

/// Eliminates the multipliers of contacts from a linear system, in small groups and almost without fill-in:
///
///     [ S  B ] [u]   [r]      unknowns u (components and bilateral multipliers) and x (multipliers of contacts)
///     [ C  E ] [x] = [c]
///
/// Each contact is assigned components s on which no other contact acts, as many as it has multipliers: those of the
/// node in contact with a face. Contacts without such components (of a node in a corner between two faces) form a
/// group. The rows of s together with the equations of the group are
///
///     [B_s; E] x = [r_s; c] - [S_s; C] u,
///
/// and the QR factorisation [B_s; E] = [Q_1 Q_2] [R; 0] splits them into two parts: x = R^-1 Q_1^T (...), which is
/// substituted into the rows of other components m (of a moving face), and Q_2^T (...) = 0, which replaces the rows of
/// s:
///
///     F Q_2^T [S_s; C] u = F Q_2^T [r_s; c]
///     (S_m - B_m R^-1 Q_1^T [S_s; C]) u = r_m - B_m R^-1 Q_1^T [r_s; c]
///
/// An open contact leaves the momentum rows unchanged, a sticking one replaces them by its constraints. F makes the
/// diagonal block of s a multiple of the identity, of the magnitude of the diagonal of S: without it the diagonal of
/// some rows would vanish.

#include <picus/sparse_matrix.hpp>
#include <picus/threads.hpp>
#include <picus/types.hpp>

#include <Eigen/Core>

#include <array>
#include <span>
#include <vector>

namespace picus::solvers {

class ContactElimination {
 public:
  /// Finds the contacts in the pattern of the last `contact_rows` rows, chooses components by the values, and prepares
  /// reduce(); the pattern of the reduced matrix is shared with equal ones in `patterns` if that is not null. False if
  /// contacts share their components with too many others.
  bool prepare(const SparseMatrix& matrix, Index contact_rows, PatternPool* patterns = nullptr);

  /// Computes the reduced matrix, in parallel if `threads` is not null; false if a block is singular.
  bool reduce(const SparseMatrix& matrix, const Threads* threads = nullptr);
  /// The same for a matrix that differs from the one reduced last only in rows and columns of multipliers.
  bool reduce_contacts(const SparseMatrix& matrix);
  /// Rows of the reduced matrix that depend on rows and columns of multipliers.
  const std::vector<Index>& contact_rows() const { return contact_rows_; }
  /// The transpose of the reduced matrix, i.e. the matrix stored by rows.
  const SparseMatrix& transposed() const { return reduced_; }
  /// Position of the diagonal entry of each row.
  const std::vector<Index>& diagonal_places() const { return diagonal_; }

  /// Replaces (r, c) by the right-hand side of the reduced system, in its first entries.
  void condense(std::span<double> b);
  /// Appends x to the solution u.
  void expand(std::span<double> b) const;

 private:
  static constexpr int max_multipliers = 9;  ///< three contacts with friction
  static constexpr int max_equations = 2 * max_multipliers;
  template <int rows, int columns>
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, rows, columns>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_equations, 1>;
  using Row = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, max_equations>;

  /// The part of a row of the matrix in the columns of u: entries [first, last) of columns_ and places_.
  struct Entries {
    Index first, last;
  };
  struct Group {
    std::vector<Index> own;           ///< components s
    std::vector<Index> multipliers;   ///< unknowns x
    std::vector<Index> place;         ///< of [B_s; E] in the values of the matrix, column by column; -1: none
    std::vector<Index> own_diagonal;  ///< positions of S_ii in the values of the matrix
    std::vector<Index> own_column;    ///< columns of s in the rows of the group
    /// Index into targets_: for S_s and C row by row, columns in the rows of the group.
    Index first_target = 0;
    Index first_coupling = 0;                        ///< index into couplings_: values of S_s and C
    Block<max_multipliers, max_equations> solution;  ///< R^-1 Q_1^T
    Block<max_multipliers, max_equations> rest;      ///< F Q_2^T
    Column right_side;                               ///< [r_s; c] of the present right-hand side
    Index equations() const { return count_of(own) + count_of(multipliers); }
    /// Matrix row of an equation of the group.
    Index equation(Index i) const {
      const std::size_t k = i;
      return k < own.size() ? own[k] : multipliers[k - own.size()];
    }
  };
  /// A row m from which multipliers of a group are eliminated.
  struct AffectedRow {
    Index row, group;
    std::vector<Index> place;  ///< positions of B_m in the values of the matrix, -1: none
    Index first_target = 0;    ///< index into targets_: for S_s and C, positions in the reduced matrix
    Row f;                     ///< B_m R^-1 Q_1^T
  };

  bool list_groups(const SparseMatrix& matrix);
  bool choose_components(const SparseMatrix& matrix, Group& group, Index number,
                         const std::vector<Index>& group_of_component);
  void list_places(const SparseMatrix& matrix);
  void choose_listed_rows(const SparseMatrix& matrix);
  void list_rows(const SparseMatrix& matrix);
  void build_pattern(const SparseMatrix& matrix);
  void list_contact_rows();
  bool reduce_groups(const SparseMatrix& matrix);
  void list_targets();
  void transpose_rows(const SparseMatrix& matrix, Index first, Index last);
  void copy_listed_row(const SparseMatrix& matrix, Index row);
  bool reduce_group(const SparseMatrix& matrix, Group& group);
  void reduce_affected_row(const SparseMatrix& matrix, AffectedRow& affected);

  Index size_ = 0;  ///< size of the reduced system
  /// Of each row of the matrix: whether elimination reads or changes it, or it lacks its diagonal entry. Only the
  /// entries of these are listed by rows.
  std::vector<char> is_listed_;
  std::vector<Entries> rows_;
  std::vector<Index> columns_, places_;
  std::vector<Index> copied_rows_;  ///< listed rows that begin as those of the matrix
  std::vector<Index> next_;         ///< places in the values of the reduced matrix, during a transposition
  std::vector<Group> groups_;
  std::vector<AffectedRow> affected_rows_;
  std::vector<Index> contact_rows_;
  std::vector<Index> group_of_;  ///< group of each component, or -1
  std::vector<Index> targets_;
  std::vector<double> couplings_;
  Eigen::Matrix<double, max_equations, Eigen::Dynamic> work_;
  SparseMatrix reduced_;
  std::vector<Index> diagonal_;
};

}  // namespace picus::solvers
