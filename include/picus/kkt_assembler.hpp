#pragma once

/// Assembly of the matrix of a sub-problem,
///
///     [ A     -G^T k  ]     unknowns: free components, then scaled multipliers x with mu = k x
///     [ -k D    E     ]     A = M + stiffness, damping and curvature terms,
///
/// on a pattern that is built once: zero, evaluate, transform, scatter. The weights of the scheme determine what is
/// added; nothing here depends on a time step.

#include <picus/chart.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/sparse_matrix.hpp>
#include <picus/system.hpp>

#include <vector>

namespace picus {

class KktAssembler {
 public:
  /// Whether contacts have multipliers among the unknowns, in addition to bilateral constraints.
  enum class Rows : std::uint8_t {
    bilateral,               ///< multipliers of bilateral constraints only
    bilateral_and_contacts,  ///< multipliers of contacts as well
  };

  /// Builds the pattern once, shared with equal ones in `patterns`; `system` must outlive it.
  KktAssembler(const System& system, const MassMatrix& mass, Rows rows, PatternPool* patterns = nullptr);

  /// The matrix as assembled so far, size() x size().
  const SparseMatrix& matrix() const { return matrix_; }
  /// Number of unknowns: free components, active bilateral rows, contact rows.
  Index size() const { return matrix_.size; }
  /// Number of free velocity components, the first unknowns.
  Index free_count() const { return free_count_; }
  /// First unknown of the contact multipliers.
  Index first_contact_unknown() const { return free_count_ + bilateral_count_; }
  /// Diagonal entry of an unknown.
  double diagonal(Index unknown) const { return matrix_.values[diagonal_[unknown]]; }

  /// Sets all entries to zero.
  void begin();
  /// Sets A = M and all other entries to zero.
  void begin(const MassMatrix& mass);

  /// A += (stiffness K T + damping C) over all forces, those of loads multiplied by load_factor.
  void add_force_tangents(const Motion& motion, double stiffness, double damping, const Chart& chart,
                          double load_factor = 1.0);
  /// A += weight d(M w)/dq T, w in natural layout.
  void add_mass_gradient(const Configuration& q, const Vector& w, double weight, const Chart& chart);
  /// A -= weight d(G^T mu)/dq T, mu in row layout.
  void add_constraint_geometric_stiffness(const Configuration& q, double t, const Vector& mu, double weight,
                                          const Chart& chart);
  /// A -= d(G^T p)/dq T over all contacts, p in contact row layout.
  void add_contact_geometric_stiffness(const Configuration& q, const Vector& p, const Chart& chart);

  /// A_ii += w_i, w in natural layout.
  void add_diagonal(const Vector& w);

  /// Columns -G^T k of the bilateral multipliers; k in row layout.
  void add_constraint_columns(const Gradients& G, const Vector& k);
  /// Rows -k G, for constraints on velocity increments.
  void add_constraint_rows(const Gradients& G, const Vector& k);
  /// Rows -k G T, for constraints on chart increments.
  void add_constraint_rows(const Gradients& G, const Vector& k, const Chart& chart);
  /// Rows -k (G + weight d(G v + g_t)/dq T).
  void add_constraint_rate_rows(const Gradients& G, const Motion& motion, const Vector& k, double weight,
                                const Chart& chart);
  /// E_jj -= epsilon_j for the bilateral rows; epsilon in row layout.
  void regularize(const Vector& epsilon);

  /// The linearised rows of one contact: columns -G^T k with the gradients `columns`, rows D G (T) with the gradients
  /// `rows`, and E (m x m, column by column), all for the scaled multipliers. `chart` is null for velocity increments.
  void add_contact(Index contact, const Gradients& columns, std::span<const double> k, const Gradients& rows,
                   std::span<const double> D, std::span<const double> E, const Chart* chart);
  /// Removes the contributions of add_contact() for all contacts; everything else remains.
  void clear_contacts();

 private:
  /// Consecutive components of an element that are consecutive unknowns.
  struct Run {
    Index local;    ///< first component in the local layout
    Index unknown;  ///< the unknown of the first component
    Index count;
  };
  /// The square block of an element: in each column of its runs, each run is a sequence of consecutive values, whose
  /// first position is an entry of square_targets_.
  struct Square {
    const Element* element;
    Index first_run, last_run;  ///< indices into runs_; an empty range for an element that adds nothing
    Index first_target;
    Index columns;  ///< number of columns of all its runs
  };
  struct RowScatter {
    Index source;         ///< in the concatenated gradients
    Index row;            ///< global row
    Index row_target;     ///< position of (row, component)
    Index column_target;  ///< position of (component, row)
  };
  struct ContactPlace {
    Index first_unknown;
    Index first_column_entry, last_column_entry;  ///< indices into contact_columns_
    Index first_row_target;    ///< into contact_rows_: m x n positions, -1 where prescribed
    Index first_block_target;  ///< into contact_blocks_: m x m positions
  };

  /// Contribution of an element: K and C with these weights.
  struct Parts {
    double K = 0.0;
    double C = 0.0;
    bool has_K = false;
    bool has_C = false;
  };
  /// Columns [first, last) of the square block of an element, which are summed by one thread.
  struct Columns {
    Index square;
    Index first;
    Index last;
  };
  /// The blocks of all elements in one of their roles; with several threads also the columns of each share of the work,
  /// in the order of the elements.
  struct Squares {
    std::vector<Square> of;
    std::vector<std::vector<Columns>> shares;
  };

  template <class R>
  std::vector<Square> list_squares(std::span<const InRole<R>> roles, std::vector<Index>& targets);
  void share_columns(Squares& squares) const;
  void share_columns();
  /// Calls evaluate(i, K, C) -> Parts for all elements, with n x n entries each for K and C, and adds the results.
  template <class Evaluate>
  void add_squares(const Squares& squares, const ElementLoop& loop, const Evaluate& evaluate);
  template <class Evaluate>
  void add_squares_together(const Squares& squares, const ElementLoop& loop, const Evaluate& evaluate);
  void scatter_square(const Square& square, Index first, Index last, const double* local, double weight);
  void build_pattern(const MassMatrix& mass, Rows rows, PatternPool* patterns);
  void list_mass(const MassMatrix& mass);
  void list_rows();
  void list_contacts();
  void find_runs(const Element& element, std::vector<Run>& runs) const;

  const System* system_;
  SparseMatrix matrix_;
  Index free_count_ = 0;
  Index bilateral_count_ = 0;
  std::vector<Index> diagonal_;
  IndexList
      mass_targets_;  ///< position of each entry of the mass matrix, -1: of a component that is not free
  std::vector<Run> runs_;
  IndexList square_targets_;
  Squares inertias_, forces_, constraints_, contacts_;
  std::vector<RowScatter> rows_;
  std::vector<RowScatter> contact_columns_;
  std::vector<Index> contact_rows_, contact_blocks_;
  std::vector<ContactPlace> contact_places_;
  std::vector<double> local_, other_;
  // The elements that several threads evaluate before their results are summed.
  std::vector<double> batch_;
  std::vector<std::size_t> batch_places_;
  std::vector<Parts> batch_parts_;
};

}  // namespace picus
