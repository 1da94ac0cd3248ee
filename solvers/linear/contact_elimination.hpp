#pragma once

/// Eliminates the multipliers of contacts from a linear system, a few at a time and almost without fill:
///
///     [ S  B ] [u]   [r]      unknowns u (components and bilateral multipliers) and x (multipliers of contacts)
///     [ C  E ] [x] = [c]
///
/// Each contact is assigned components s on which no other contact acts, as many as it has multipliers: those of the node that
/// touches a face. Contacts without such components (of a node in a corner between two faces) form a group. The rows of s
/// together with the equations of the group are
///
///     [B_s; E] x = [r_s; c] - [S_s; C] u,
///
/// and the QR factorisation [B_s; E] = [Q_1 Q_2] [R; 0] splits them into two parts: x = R^-1 Q_1^T (...), which is substituted
/// into the rows of other components m (of a face that moves), and Q_2^T (...) = 0, which replaces the rows of s:
///
///     F Q_2^T [S_s; C] u = F Q_2^T [r_s; c]
///     (S_m - B_m R^-1 Q_1^T [S_s; C]) u = r_m - B_m R^-1 Q_1^T [r_s; c]
///
/// An open contact leaves the momentum rows unchanged, a sticking one replaces them by its constraints. F makes the diagonal
/// block of s a multiple of the identity, of the magnitude of the diagonal of S: without it the diagonal of some rows would
/// vanish.

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
  /// reduce(). False when contacts share their components with too many others.
  bool prepare(const SparseMatrix& matrix, Index contact_rows);

  /// Makes the reduced matrix, with the help of `threads` if there are any; false when a block is singular.
  bool reduce(const SparseMatrix& matrix, const Threads* threads = nullptr);
  /// The same where the matrix differs in rows and columns of multipliers alone from the one reduced last.
  bool reduce_contacts(const SparseMatrix& matrix);
  /// Rows of the reduced matrix that depend on those.
  const std::vector<Index>& contact_rows() const { return contact_rows_; }
  /// The transpose of the reduced matrix: its columns are the rows.
  const SparseMatrix& transposed() const { return reduced_; }
  /// Where the diagonal entry of each row is.
  const std::vector<Index>& diagonal_places() const { return diagonal_; }

  /// Replaces (r, c) by the right-hand side of the reduced system, in its first entries.
  void condense(std::span<double> b);
  /// Completes u by x.
  void expand(std::span<double> b) const;

 private:
  static constexpr int most_multipliers = 9;  ///< three contacts with friction
  static constexpr int most_equations = 2 * most_multipliers;
  template <int rows, int columns>
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, rows, columns>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_equations, 1>;
  using Row = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, most_equations>;

  /// The part of a row of the matrix that belongs to u: entries [first, last) of columns_ and places_.
  struct Entries {
    Index first, last;
  };
  struct Group {
    std::vector<Index> own;           ///< components s
    std::vector<Index> multipliers;   ///< unknowns x
    std::vector<Index> place;         ///< of [B_s; E] in the values of the matrix, column by column; -1: none
    std::vector<Index> own_diagonal;  ///< of S_ii in the values of the matrix
    std::vector<Index> own_column;    ///< of s in the rows of the group
    Index first_target = 0;  ///< of targets_: for S_s and C row by row, columns in the rows of the group
    Index first_kept = 0;    ///< of kept_: values of S_s and C
    Block<most_multipliers, most_equations> solution;  ///< R^-1 Q_1^T
    Block<most_multipliers, most_equations> rest;      ///< F Q_2^T
    Column right_side;                                 ///< [r_s; c] of the present right-hand side
    Index equations() const { return count_of(own) + count_of(multipliers); }
    /// Row of the matrix of an equation.
    Index equation(Index i) const {
      const std::size_t k = i;
      return k < own.size() ? own[k] : multipliers[k - own.size()];
    }
  };
  /// A row m that loses multipliers of a group.
  struct Touched {
    Index row, group;
    std::vector<Index> place;  ///< of B_m in the values of the matrix, -1: none
    Index first_target = 0;    ///< of targets_: for S_s and C, places in the reduced matrix
    Row f;                     ///< B_m R^-1 Q_1^T
  };

  bool list_groups(const SparseMatrix& matrix);
  bool choose_components(const SparseMatrix& matrix, Group& group, Index number,
                         const std::vector<Index>& group_of_component);
  void list_rows(const SparseMatrix& matrix);
  void list_places(const SparseMatrix& matrix);
  void build_pattern();
  void list_contact_rows();
  bool reduce_groups(const SparseMatrix& matrix);
  void list_targets();
  void copy_row(const SparseMatrix& matrix, std::size_t row, double* to) const;
  bool reduce_group(const SparseMatrix& matrix, Group& group);
  void reduce_touched(const SparseMatrix& matrix, Touched& touched);

  Index size_ = 0;  ///< of the reduced system
  std::vector<Entries> rows_;
  std::vector<Index> columns_, places_;
  std::vector<Group> groups_;
  std::vector<Touched> touched_;
  std::vector<Index> contact_rows_;
  std::vector<Index> group_of_;  ///< to which a component belongs, or -1
  std::vector<Index> targets_;
  std::vector<double> kept_;
  Eigen::Matrix<double, most_equations, Eigen::Dynamic> work_;
  SparseMatrix reduced_;
  std::vector<Index> diagonal_;
};

}  // namespace picus::solvers
