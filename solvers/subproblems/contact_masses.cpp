#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/subproblems/contact_masses.hpp>
#include <picus/solvers/subproblems/disjoint_sets.hpp>

#include <Eigen/LU>

#include <algorithm>

namespace picus::solvers {

namespace {

/// Number of unknowns of a coupled part from which on only those near a contact are included.
constexpr Index large_part = 500;
constexpr Index smallest_for_cholmod = 500;
/// Number of right-hand sides solved at a time: dense kernels take as long for them as for a few individual ones.
constexpr std::size_t sides_at_a_time = 16;
/// Number of unknowns near a contact: two rings of nodes around one on the face of a mesh of hexahedra, whose mass
/// matrix couples components of one direction only, or ten links of a chain.
constexpr std::size_t max_neighbours = 100;

/// Sets of unknowns that are coupled by a matrix.
DisjointSets parts_of(const SparseMatrix& matrix) {
  DisjointSets parts(matrix.size);
  for (Index c = 0; c < matrix.size; ++c) {
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      if (matrix.values[k] != 0) parts.join(matrix.row[k], c);
    }
  }
  return parts;
}

/// The entries of a normal row of a contact, by unknown.
struct NormalRow {
  struct Entry {
    Index unknown;
    double value;
  };
  std::size_t contact = 0;
  std::vector<Entry> entries;
};

std::vector<NormalRow> normal_rows(const System& system, const Gradients& G) {
  std::vector<NormalRow> result(system.contacts().size());
  const auto entries = system.contact_entries();
  std::size_t next = 0;
  for (std::size_t c = 0; c < result.size(); ++c) {
    const auto& block = system.contacts()[c];
    result[c].contact = c;
    for (; next < entries.size() && entries[next].row < block.first_row + block.rows; ++next) {
      const Index unknown = system.free_index()[entries[next].dof];
      if (entries[next].row == block.first_row && unknown >= 0)
        result[c].entries.push_back({unknown, G.values[entries[next].source]});
    }
  }
  return result;
}

/// Removes from `rows`, and returns, the first ones that have no part in common.
std::vector<NormalRow> take_apart(std::vector<NormalRow>& rows, DisjointSets& parts,
                                  std::vector<char>& is_taken) {
  std::ranges::fill(is_taken, 0);
  const auto is_free = [&](const NormalRow::Entry& entry) {
    return is_taken[parts.find(entry.unknown)] == 0;
  };
  std::vector<NormalRow> taken, left;
  for (NormalRow& row : rows) {
    if (!std::ranges::all_of(row.entries, is_free)) {
      left.push_back(std::move(row));
      continue;
    }
    for (const NormalRow::Entry& entry : row.entries) is_taken[parts.find(entry.unknown)] = 1;
    taken.push_back(std::move(row));
  }
  rows = std::move(left);
  return taken;
}

/// Whether a row acts on a part with so many unknowns that solves with all of them are too expensive.
bool moves_large_part(std::span<const NormalRow> rows, DisjointSets& parts, Index size) {
  std::vector<Index> count(size);
  for (Index i = 0; i < size; ++i) ++count[parts.find(i)];
  return std::ranges::any_of(rows, [&](const NormalRow& row) {
    return std::ranges::any_of(row.entries, [&](const NormalRow::Entry& entry) {
      return count[parts.find(entry.unknown)] > large_part;
    });
  });
}

/// g K^-1 g^T of rows, restricted to the unknowns near each row.
class NearCompliance {
 public:
  explicit NearCompliance(const SparseMatrix& matrix) : matrix_(&matrix), place_(matrix.size, -1) {}

  double of(const NormalRow& row) {
    gather(row);
    if (members_.empty()) return 0.0;
    K_.setZero(count_of(members_), count_of(members_));
    g_.setZero(count_of(members_));
    for (Index c = 0; c < count_of(members_); ++c) {
      for_each_in_column(members_[c], [&](Index r, double value) {
        if (place_[r] >= 0) K_(place_[r], c) = value;
      });
    }
    for (const auto& [unknown, value] : row.entries) g_[place_[unknown]] += value;
    for (const Index member : members_) place_[member] = -1;
    return g_.dot(K_.partialPivLu().solve(g_));
  }

 private:
  template <class Visit>
  void for_each_in_column(Index c, const Visit& visit) const {
    for (Index k = matrix_->column_start[c]; k < matrix_->column_start[c + 1]; ++k) {
      if (matrix_->values[k] != 0) visit(matrix_->row[k], matrix_->values[k]);
    }
  }

  /// Collects the unknowns of a row and those coupled to them, nearest first.
  void gather(const NormalRow& row) {
    members_.clear();
    const auto add = [&](Index unknown) {
      if (place_[unknown] >= 0) return;
      place_[unknown] = count_of(members_);
      members_.push_back(unknown);
    };
    for (const NormalRow::Entry& entry : row.entries) add(entry.unknown);
    for (std::size_t i = 0; i < members_.size() && members_.size() < max_neighbours; ++i)
      for_each_in_column(members_[i], [&](Index r, double) { add(r); });
  }

  const SparseMatrix* matrix_;
  std::vector<Index> place_;  ///< index of each unknown in members_, or -1
  std::vector<Index> members_;
  Eigen::MatrixXd K_;
  Vector g_;
};

/// The same for rows of small parts: one right-hand side for all rows that act on different parts. False if the matrix
/// is singular.
template <class Store>
bool solve_compliances(const SparseMatrix& matrix, bool is_mass, DisjointSets& parts,
                       std::vector<NormalRow> rows, const Store& store) {
  // For a large mass matrix one Cholesky factor is used for all contacts.
  const bool is_large_mass = is_mass && matrix.size > smallest_for_cholmod;
  const auto solver = make_linear_solver(
      is_large_mass ? LinearSolverKind::cholmod : LinearSolverKind::automatic, matrix, is_large_mass);
  solver->analyze(matrix);
  if (!solver->factorize(matrix)) return false;
  std::vector<char> is_taken(matrix.size);
  Eigen::MatrixXd x;
  std::vector<std::vector<NormalRow>> together;
  while (!rows.empty()) {
    together.clear();
    while (!rows.empty() && together.size() < sides_at_a_time)
      together.push_back(take_apart(rows, parts, is_taken));
    x.setZero(matrix.size, count_of(together));
    for (Index side = 0; side < count_of(together); ++side) {
      for (const NormalRow& row : together[side]) {
        for (const auto& [unknown, value] : row.entries) x(unknown, side) += value;
      }
    }
    solver->solve_all(std::span(x.data(), x.size()), count_of(together));
    for (Index side = 0; side < count_of(together); ++side) {
      for (const NormalRow& row : together[side]) {
        double compliance = 0;
        for (const auto& [unknown, value] : row.entries) compliance += value * x(unknown, side);
        store(row, compliance);
      }
    }
  }
  return true;
}

}  // namespace

Vector contact_masses(const System& system, const MassMatrix& mass, const Scales& scales,
                      const Configuration& q, double t) {
  double typical = 0;
  for (const Index dof : system.free_dofs()) {
    if (scales.kind(dof) == MotionKind::translation) typical = std::max(typical, mass.diagonal(dof));
  }
  if (typical == 0) typical = 1.0;
  Vector result = Vector::Constant(count_of(system.contacts()), typical);
  if (system.contacts().empty()) return result;

  KktAssembler kkt(system, mass, KktAssembler::Rows::bilateral);
  Gradients G = system.make_constraint_gradients();
  Gradients contact_G = system.make_contact_gradients();
  system.evaluate_gradients(q, t, G);
  system.evaluate_contact_gradients(q, contact_G);
  Vector k(system.row_count());
  for (Index row = 0; row < k.size(); ++row) k[row] = scales.row_mass(row);
  kkt.begin(mass);
  kkt.add_constraint_columns(G, k);
  kkt.add_constraint_rows(G, k);
  kkt.regularize(1e-12 * k);

  DisjointSets parts = parts_of(kkt.matrix());
  std::vector<NormalRow> rows = normal_rows(system, contact_G);
  const auto store = [&](const NormalRow& row, double compliance) {
    // The compliance of a point that is fixed or constrained is a rounding error.
    if (compliance > 1e-6 / typical) result[row.contact] = 1.0 / compliance;
  };
  if (moves_large_part(rows, parts, kkt.size())) {
    NearCompliance near(kkt.matrix());
    for (const NormalRow& row : rows) store(row, near.of(row));
  } else {
    solve_compliances(kkt.matrix(), kkt.size() == kkt.free_count(), parts, std::move(rows), store);
  }
  return result;
}

}  // namespace picus::solvers
