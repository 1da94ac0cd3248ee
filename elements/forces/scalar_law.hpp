#pragma once

/// A force that depends on one number, such as the extension of a spring:
///
///     F(s),   slope dF/ds,   potential V(s) = integral of F from 0 to s
///
///     .law = ScalarLaw::linear(1e4)
///     .law = ScalarLaw::function([](double s) { return 1e6 * s * s * s; }, [](double s) { return 3e6 * s * s; })
///     .law = ScalarLaw::table({-0.1, 0.0, 0.1}, {-500.0, 0.0, 200.0})
///
/// s in metres, F in newtons, or radians and newton metres, as the element says. A law that cannot be (a table
/// that is not sorted, a missing function) is refused by the element that gets it, which can name itself.

#include <picus/checks.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace picus {

/// How a table is read between its points.
enum class Interpolation {
  linear,         ///< the slope jumps at the points
  monotone_cubic  ///< continuous slope, and no extrema that the table does not have (Fritsch, Butland 1984)
};

class ScalarLaw {
 public:
  /// A number of a number: force of deflection, N of m, or moment of angle.
  using Function = std::function<double(double)>;

  /// Nothing; elements refuse it.
  ScalarLaw() = default;

  /// F = stiffness s + preload.
  static ScalarLaw linear(double stiffness, double preload = 0.0);

  /// F and its exact slope. Without a potential, V is integrated when it is asked for (adaptive Gauss, to
  /// rounding level for a force that is piecewise smooth); no solver asks for it.
  static ScalarLaw function(Function force, Function slope, Function potential = {});

  /// F alone. Its slope is a central difference of fourth order with a step of 1e-3 `scale`, the length over
  /// which F changes: exact to about 1e-12 of F/scale where F is smooth, which is not the library's standard
  /// of an exact tangent.
  static ScalarLaw differenced(Function force, double scale);

  /// Through the points (s[i], force[i]), s ascending, at least two. Beyond both ends it goes on straight with
  /// the slope it has there. The potential is the exact integral of the pieces.
  static ScalarLaw table(std::vector<double> s, std::vector<double> force,
                         Interpolation interpolation = Interpolation::monotone_cubic);

  /// NaN for a law that require() refuses.
  double force(double s) const;
  /// dF/ds.
  double slope(double s) const;
  /// The integral of F from 0 to s, J.
  double potential(double s) const;

  /// Whether F = k s without preload, k = slope(0).
  bool is_proportional() const;

  /// Throws ModelError when there is no law, an impossible one, or one that is not finite at the start; `what`
  /// is its role.
  void require(const Culprit& who, std::string_view what, double start) const;

 private:
  struct Linear {
    double stiffness;
    double preload;
  };
  struct Functions {
    Function force;
    Function slope;
    Function potential;
  };
  struct Differenced {
    Function force;
    double step;
  };
  /// F = a + b x + c x^2 + d x^3 and V with x = s - start, from `start` to that of the next piece.
  struct Piece {
    double start;
    double V;
    double a, b, c, d;
  };
  using Table = std::vector<Piece>;

  static const Piece& piece_at(const Table& table, double s);
  static Table make_table(const std::vector<double>& s, const std::vector<double>& force,
                          Interpolation interpolation);
  /// Whatever makes the law impossible.
  static ScalarLaw refused(std::string defect);

  std::variant<std::monostate, Linear, Functions, Differenced, Table> law_;
  std::string defect_ = "is not given";
};

}  // namespace picus
