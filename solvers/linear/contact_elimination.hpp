#pragma once

/// Eliminates the multipliers of contacts from a linear system, contact by contact and almost without fill:
///
///     [ S  B ] [u]   [r]      unknowns u (components and bilateral multipliers) and x (multipliers of contacts)
///     [ C  E ] [x] = [c]
///
/// Each contact takes for its own as many components s as it has multipliers, none of which another contact touches,
/// with a regular block B_s: those of the node that touches a face. The rows of s give its multipliers, its own equations
/// take the place of these rows, and the rows of other components m (of a face that moves) lose their multipliers:
///
///     x = B_s^-1 (r_s - S_s u),     Q (C - E B_s^-1 S_s) u = Q (c - E B_s^-1 r_s),
///     (S_m - sum B_m B_s^-1 S_s) u = r_m - sum B_m B_s^-1 r_s
///
/// So an open contact leaves the momentum rows as they are, and one that sticks puts its constraints in their place. Q makes
/// the diagonal block of s that of S: without it some of the rows had nothing on the diagonal.

#include <picus/sparse_matrix.hpp>
#include <picus/types.hpp>

#include <Eigen/Core>

#include <span>
#include <vector>

namespace picus {

class ContactElimination {
 public:
  /// Finds contacts in the pattern of the last `contact_rows` rows, chooses their components by the values, and lists what
  /// reduce() will do. False when a contact has no components of its own.
  bool prepare(const SparseMatrix& matrix, Index contact_rows);

  /// Makes the reduced matrix; false when a block is singular.
  bool reduce(const SparseMatrix& matrix);
  /// The transpose of the reduced matrix: its columns are the rows.
  const SparseMatrix& transposed() const { return reduced_; }
  /// Where the diagonal entry of each row is.
  const std::vector<Index>& diagonal_places() const { return diagonal_; }

  /// Replaces (r, c) by the right-hand side of the reduced system, in its first entries.
  void condense(std::span<double> b);
  /// Completes u by x.
  void expand(std::span<double> b) const;

 private:
  static constexpr Index most_rows = 3;
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_rows, most_rows>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_rows, 1>;
  using Components = std::array<Index, most_rows>;

  /// The part of a row of the matrix that belongs to u, entries [first, last) of columns_ and places_.
  struct Row {
    Index first, last;
  };
  struct Contact {
    Index first = 0;  ///< unknown
    Index rows = 0;
    Components own{};
    std::array<Index, most_rows * most_rows> B_place{}, E_place{};  ///< in the values of the matrix
    Components own_place{};  ///< of the own components in the reduced rows
    Index first_target = 0;  ///< of targets_: for S_s and C row by row, the places in the reduced rows
    Index first_kept = 0;    ///< of kept_: values of S_s
    Block B_inverse, W, Q;   ///< W = E B_s^-1
    Column r;                ///< r_s of the present right-hand side
  };
  /// A row m that loses the multipliers of a contact.
  struct Touched {
    Index row, contact;
    std::array<Index, most_rows> B_place;  ///< -1 where B has no entry
    Index first_target;                    ///< of targets_: for S_s, the places in the reduced row
    Column f;                              ///< B_m B_s^-1
  };

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  bool list_contacts(const SparseMatrix& matrix);
  bool choose_components(const SparseMatrix& matrix);
  void list_rows(const SparseMatrix& matrix);
  void list_touched(const SparseMatrix& matrix);
  void build_pattern();
  void list_targets();
  bool reduce_contact(const SparseMatrix& matrix, Contact& contact);
  void reduce_touched(const SparseMatrix& matrix, Touched& touched);

  Index size_ = 0;  ///< of the reduced system
  std::vector<Row> rows_;
  std::vector<Index> columns_, places_;
  std::vector<Contact> contacts_;
  std::vector<Touched> touched_;
  std::vector<Index> contact_of_;  ///< to which a component belongs, or -1
  std::vector<Index>
      plain_target_;  ///< for rows that belong to no contact: the place of each entry of columns_
  std::vector<Index> targets_;
  std::vector<double> kept_;
  Eigen::Matrix<double, most_rows, Eigen::Dynamic> work_;
  SparseMatrix reduced_;
  std::vector<Index> diagonal_;
};

}  // namespace picus
