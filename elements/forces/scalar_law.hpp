#pragma once

/// A force as a function of one variable, such as the extension of a spring:
///
///     F(s),   slope dF/ds,   potential V(s) = integral of F from 0 to s
///
///     .law = ScalarLaw::linear(1e4)
///     .law = ScalarLaw::function([](double s) { return 1e6 * s * s * s; }, [](double s) { return 3e6 * s * s; })
///     .law = ScalarLaw::table({-0.1, 0.0, 0.1}, {-500.0, 0.0, 200.0})
///
/// s in metres and F in newtons, or radians and newton metres, depending on the element. An invalid law (an unsorted
/// table, a missing function) is refused by the element that receives it, because its message can name the element.

#include <picus/checks.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace picus {

/// Interpolation between the points of a table.
enum class Interpolation {
  linear,         ///< the slope is discontinuous at the points
  monotone_cubic  ///< continuous slope, and no extrema that the table does not have (Fritsch, Butland 1984)
};

class ScalarLaw {
 public:
  /// A scalar function: force of deflection, N and m, or moment of angle.
  using Function = std::function<double(double)>;

  /// No law; elements refuse it.
  ScalarLaw() = default;

  /// F = stiffness s + preload.
  static ScalarLaw linear(double stiffness, double preload = 0.0);

  /// F and its exact slope. Without a potential, V is integrated on request (adaptive Gauss quadrature, to rounding
  /// for a piecewise smooth force); no solver needs it.
  static ScalarLaw function(Function force, Function slope, Function potential = {});

  /// F alone. Its slope is a central difference of fourth order with a step of 1e-3 `scale`, the length over which F
  /// changes: accurate to about 1e-12 of F/scale where F is smooth, which falls short of the exact tangents of the
  /// rest of the library.
  static ScalarLaw differenced(Function force, double scale);

  /// Interpolates the points (s[i], force[i]), s ascending, at least two. Beyond both ends it is extrapolated
  /// linearly with the end slope. The potential is the exact integral of the pieces.
  static ScalarLaw table(std::vector<double> s, std::vector<double> force,
                         Interpolation interpolation = Interpolation::monotone_cubic);

  /// F(s); NaN for a law that require() refuses.
  double force(double s) const;
  /// dF/ds at s.
  double slope(double s) const;
  /// The integral of F from 0 to s, J.
  double potential(double s) const;

  /// Whether F = k s without preload, with k = slope(0).
  bool is_proportional() const;

  /// Throws ModelError if there is no law, an invalid one, or one that is not finite at `start`; `what` is its role.
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
  /// F = a + b x + c x^2 + d x^3 and V, with x = s - start, from `start` to that of the next piece.
  struct Piece {
    double start;
    double V;
    double a, b, c, d;
  };
  using Table = std::vector<Piece>;

  static const Piece& piece_at(const Table& table, double s);
  static Table make_table(const std::vector<double>& s, const std::vector<double>& force,
                          Interpolation interpolation);
  /// An invalid law; `defect` says why.
  static ScalarLaw refused(std::string defect);

  std::variant<std::monostate, Linear, Functions, Differenced, Table> law_;
  std::string defect_ = "is not given";
};

}  // namespace picus
