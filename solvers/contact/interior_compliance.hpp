#pragma once

/// The compliance Q of the scaled contact problem of interior_point.hpp, dense or sparse, as its iteration uses it.

#include <picus/solvers/contact/block_matrix.hpp>
#include <picus/solvers/contact/block_solver.hpp>
#include <picus/solvers/contact/delassus_operator.hpp>
#include <picus/solvers/contact/second_order_cone.hpp>
#include <picus/types.hpp>

#include <Eigen/LU>

#include <span>

namespace picus::solvers {

/// A contact among the unknowns.
struct ContactUnknowns {
  Index first;
  Index size;
};

/// Q as a dense matrix.
class DenseCompliance {
 public:
  DenseCompliance(const Eigen::MatrixXd& A, std::span<const Index> rows, const Vector& S)
      : Q_(S.asDiagonal() * A(rows, rows) * S.asDiagonal()) {}

  Vector times(const Vector& p) const { return Q_ * p; }
  /// Factorises F Q + the diagonal blocks `added`, where F adds to the normal row of a contact its other rows times
  /// `slip`.
  bool factorize(std::span<const ContactUnknowns> contacts, const Vector& slip,
                 std::span<const ConeMatrix<>> added) {
    H_ = Q_;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto& [first, size] = contacts[i];
      H_.row(first) += slip.segment(first + 1, size - 1).transpose() * Q_.middleRows(first + 1, size - 1);
      H_.block(first, first, size, size) += added[i];
    }
    lu_.compute(H_);
    return true;
  }
  Vector solve(const Vector& b) { return lu_.solve(b); }

 private:
  Eigen::MatrixXd Q_, H_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

/// Q as a sparse block matrix, in the memory of a solver. Size: rows of each contact.
template <int Size>
class SparseCompliance {
 public:
  SparseCompliance(DelassusOperator& Q, BlockMatrix& H, BlockSolver& solver)
      : Q_(Q), H_(H), solver_(solver), nothing_(Vector::Zero(Q.row_count())) {}

  Vector times(const Vector& p) const {
    Vector y(p.size());
    for (Index c = 0; c < Q_.contact_count(); ++c) Q_.evaluate(c, nothing_, p, y.data() + Q_.first_row(c));
    return y;
  }
  bool factorize(std::span<const ContactUnknowns> contacts, const Vector& slip,
                 std::span<const ConeMatrix<Size>> added) {
    constexpr int tangents = tangents_of_cone<Size>;
    for (Index c = 0; c < count_of(contacts); ++c) {
      const auto& [first, size] = contacts[c];
      const auto slip_T = slip.segment<tangents>(first + 1, size - 1);
      const auto blocks = Q_.blocks(c);
      for (Index k = 0; k < count_of(blocks); ++k) {
        ConeMatrix<Size> value =
            Eigen::Map<const ConeMatrix<Size>>(Q_.values(blocks[k]), size, Q_.rows(blocks[k].contact));
        value.row(0) +=
            (slip_T.transpose().lazyProduct(value.template bottomRows<tangents>(size - 1))).eval();
        if (blocks[k].contact == c) value += added[c];
        H_.set(Q_, c, k, value);
      }
    }
    return solver_.factorize(H_.matrix());
  }
  Vector solve(const Vector& b) {
    Vector x = b;
    solver_.solve(x);
    return x;
  }

 private:
  DelassusOperator& Q_;
  BlockMatrix& H_;
  BlockSolver& solver_;
  Vector nothing_;
};

}  // namespace picus::solvers
