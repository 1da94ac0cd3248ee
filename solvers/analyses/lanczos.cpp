#include <picus/error.hpp>
#include <picus/solvers/analyses/lanczos.hpp>

// The headers of the library raise warnings, which are errors in this build.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <Spectra/SymGEigsShiftSolver.h>
#pragma GCC diagnostic pop

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>

namespace picus::solvers {
namespace {

using Operator = std::function<void(const Vector&, Vector&)>;

constexpr int max_lanczos_rounds = 50;
constexpr Index max_restarts = 300;
/// Of the residual of a vector relative to its eigenvalue: close to rounding, as reduced bodies have vectors as their shapes,
/// and their forces and energies no longer belong together beyond it.
constexpr double tolerance = 1e-12;
/// An eigenvalue of the complement must be nearer to the shift by more than this to be a new one, not the last one with
/// rounding error.
constexpr double nearer = 1e-8;

/// unit (A - shift B)^-1 between complements of the B-orthonormal columns of V. The library considers eigenvalues below
/// 4e-11 as converged, by an absolute bound: the unit, 1/s2, makes the largest of them of order one.
class ComplementSolve {
 public:
  using Scalar = double;
  ComplementSolve(Index size, const Operator& solve, const Eigen::MatrixXd& V, const Eigen::MatrixXd& BV)
      : size_(size), solve_(solve), V_(V), BV_(BV), b_(size), x_(size) {}
  Eigen::Index rows() const { return size_; }
  Eigen::Index cols() const { return size_; }
  void set_shift(double) {}
  void set_unit(double unit) { unit_ = unit; }
  void perform_op(const double* in, double* out) const {
    b_ = Eigen::Map<const Vector>(in, size_);
    if (V_.cols() > 0) b_ -= BV_ * (V_.transpose() * b_);
    solve_(b_, x_);
    if (V_.cols() > 0) x_ -= V_ * (BV_.transpose() * x_);
    Eigen::Map<Vector>(out, size_) = unit_ * x_;
  }

 private:
  Index size_;
  double unit_ = 1.0;
  const Operator& solve_;
  const Eigen::MatrixXd& V_;
  const Eigen::MatrixXd& BV_;
  mutable Vector b_, x_;
};

class Product {
 public:
  using Scalar = double;
  Product(Index size, const Operator& multiply) : size_(size), multiply_(multiply), x_(size), y_(size) {}
  Eigen::Index rows() const { return size_; }
  Eigen::Index cols() const { return size_; }
  void perform_op(const double* in, double* out) const {
    x_ = Eigen::Map<const Vector>(in, size_);
    multiply_(x_, y_);
    Eigen::Map<Vector>(out, size_) = y_;
  }

 private:
  Index size_;
  const Operator& multiply_;
  mutable Vector x_, y_;
};

/// The ratio of the lengths of x and (A - shift B)^-1 B x, of the order of the distance of the nearest eigenvalue from the
/// shift, as a power of two, which causes no rounding; 1 where the latter vanishes.
double inverse_growth(const ComplementSolve& inverse, const Product& B, const Vector& x) {
  Vector Bx(x.size()), y(x.size()), By(x.size());
  B.perform_op(x.data(), Bx.data());
  inverse.perform_op(Bx.data(), y.data());
  B.perform_op(y.data(), By.data());
  const double ratio = std::sqrt(x.dot(Bx) / y.dot(By));
  return std::isfinite(ratio) && ratio > 0 ? std::exp2(std::round(std::log2(ratio))) : 1.0;
}

/// Converts the exceptions of the library, which occur if there are fewer modes than requested.
[[noreturn]] void refuse(const std::exception& error, double shift) {
  throw SolverError(
      fmt::format("Lanczos iteration failed near the shift {:.3g} 1/s2: {}; ask for fewer vibration modes",
                  shift, error.what()));
}

}  // namespace

LanczosResult solve_lanczos(Index size, Index count, double shift, const Operator& solve,
                            const Operator& multiply_B) {
  Eigen::MatrixXd V(size, 0), BV(size, 0);
  Vector values(0);
  double unit = 1.0;
  std::mt19937 generator(88172645U);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int round = 0; round < max_lanczos_rounds; ++round) {
    const Index wanted = round == 0 ? count : std::min<Index>(count, 6);
    const Index space = std::min<Index>(size, std::max<Index>(2 * wanted + 10, 20));
    ComplementSolve inverse(size, solve, V, BV);
    Product B(size, multiply_B);
    Vector start(size), image(size);
    for (double& value : start) value = uniform(generator);
    multiply_B(start, image);
    inverse.perform_op(image.data(), start.data());  // out of the null space of B
    // Beside the modes of the first round, the rounding errors of an exhausted complement stay small.
    if (round == 0) unit = inverse_growth(inverse, B, start);
    inverse.set_unit(unit);
    std::optional<Spectra::SymGEigsShiftSolver<ComplementSolve, Product, Spectra::GEigsMode::ShiftInvert>>
        solver;
    Index converged = 0;
    try {
      solver.emplace(inverse, B, wanted, space, 0.0);
      solver->init(start.data());
      converged = static_cast<Index>(solver->compute(Spectra::SortRule::LargestMagn, max_restarts, tolerance,
                                                     Spectra::SortRule::LargestMagn));
    } catch (const Error&) {
      throw;
    } catch (const std::logic_error& error) {
      refuse(error, shift);
    } catch (const std::runtime_error& error) {
      refuse(error, shift);
    }
    const Vector found = (shift + unit * solver->eigenvalues().array()).matrix();
    const Eigen::MatrixXd vectors = solver->eigenvectors();

    // Those no farther than the last one requested.
    std::vector<double> distances;
    for (const double value : values) distances.push_back(std::abs(value - shift));
    std::sort(distances.begin(), distances.end());
    const bool has_enough = count_of(distances) >= count;
    const double border = has_enough ? distances[count - 1] * (1 - nearer) : INFINITY;
    Index added = 0;
    for (Index i = 0; i < converged; ++i) {
      if (!std::isfinite(found[i]) || !(std::abs(found[i] - shift) < border)) continue;
      Vector x = vectors.col(i);
      if (V.cols() > 0) x -= V * (BV.transpose() * x);
      Vector Bx;
      multiply_B(x, Bx);
      const double norm = std::sqrt(std::max(x.dot(Bx), 0.0));
      if (!(norm > 1e-6)) continue;
      V.conservativeResize(Eigen::NoChange, V.cols() + 1);
      BV.conservativeResize(Eigen::NoChange, V.cols());
      V.col(V.cols() - 1) = x / norm;
      BV.col(V.cols() - 1) = Bx / norm;
      values.conservativeResize(values.size() + 1);
      values[values.size() - 1] = found[i];
      ++added;
    }
    if (added == 0) {
      if (converged == 0 && !has_enough) {
        throw SolverError(
            fmt::format("Lanczos iteration found {} of {} vibration modes only near the shift {:.3g} 1/s2",
                        values.size(), count, shift));
      }
      break;
    }
  }
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(values[a] - shift) < std::abs(values[b] - shift);
  });
  order.resize(std::min<std::size_t>(order.size(), count));
  return {values(order), V(Eigen::all, order)};
}

}  // namespace picus::solvers
