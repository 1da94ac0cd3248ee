#include <picus/solvers/contact/block_matrix.hpp>
#include <picus/solvers/contact/sparse_contacts.hpp>

#include <Eigen/Core>

namespace picus::solvers {

DelassusOperator make_delassus_operator(const SparseMatrix& W, Index rows) {
  const Index contacts = W.size / rows;
  // W is stored by columns, the operator by rows of contacts.
  struct Entry {
    Index row, column;
    double value;
  };
  std::vector<std::vector<Entry>> entries(contacts);
  for (Index column = 0; column < W.size; ++column) {
    for (Index k = W.column_start[column]; k < W.column_start[column + 1]; ++k)
      entries[W.row[k] / rows].push_back({W.row[k] % rows, column, W.values[k]});
  }
  DelassusOperator result;
  for (Index contact = 0; contact < contacts; ++contact) {
    result.add_contact(rows);
    for (const Entry& entry : entries[contact])
      result.add_to(entry.column / rows, rows)(entry.row, entry.column % rows) += entry.value;
  }
  return result;
}

SparseMatrix make_sparse_matrix(const DelassusOperator& W) {
  BlockMatrix matrix;
  matrix.analyze(W);
  for (Index c = 0; c < W.contact_count(); ++c) {
    const auto blocks = W.blocks(c);
    for (Index k = 0; k < count_of(blocks); ++k) {
      matrix.set(
          W, c, k,
          Eigen::Map<const Eigen::MatrixXd>(W.values(blocks[k]), W.rows(c), W.rows(blocks[k].contact)));
    }
  }
  return matrix.matrix();
}

std::vector<ContactCone> make_contact_cones(const DelassusOperator& W, const Vector& mu) {
  std::vector<ContactCone> cones;
  for (Index c = 0; c < W.contact_count(); ++c) {
    const Index rows = W.rows(c);
    const double trace = Eigen::Map<const Eigen::MatrixXd>(W.diagonal(c), rows, rows).trace();
    const double mass = trace > 0 ? rows / trace : 1.0;
    cones.push_back({.rows = rows, .first_row = W.first_row(c), .mu = mu[c], .k = mass, .p = mass});
  }
  return cones;
}

Vector make_contact_weights(std::span<const ContactCone> cones, double speed) {
  Vector result(cones.empty() ? 0 : cones.back().first_row + cones.back().rows);
  for (const ContactCone& cone : cones)
    result.segment(cone.first_row, cone.rows).setConstant(1.0 / (cone.k * speed));
  return result;
}

}  // namespace picus::solvers
