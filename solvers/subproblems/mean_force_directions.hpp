#pragma once

/// The directions along which contacts act in a step.
///
/// The mean impulse over the step of a contact that stays closed acts along the mean of its directions at t_n and
/// t_{n+1}: with the directions at t_{n+1} alone the scheme is of first order for a curved or rotating face, and it
/// gains energy. For the same reason friction opposes the slip at the middle of the step. A contact that closes in the
/// step acts along G_{n+1}. docs/theory.md derives the orders.

#include <picus/state.hpp>
#include <picus/system.hpp>

#include <span>
#include <vector>

namespace picus {

/// Columns (G_n + G_{n+1})^T / 2 of the contacts that were closed at t_n; all others keep G_{n+1}^T. (A contact that
/// opens has no multiplier: its columns have no effect.)
class MeanForceDirections {
 public:
  explicit MeanForceDirections(const System& system);

  /// Evaluates G of the contacts that were closed at t_n. Until the first call no contact counts as closed. `v_n` must
  /// outlive the step.
  void begin(const Configuration& q_n, const Vector& v_n, std::span<const ContactState> states_n);
  /// Rotates the tangents of t_n within their planes so that they are nearest to the tangents at q, or in G. The choice
  /// of tangents of a contact may change anywhere, and a mean of unrelated tangents is meaningless.
  void align(const Configuration& q);
  void align(const Gradients& G);
  /// Computes the rotation of the slip direction over the second half of the step, taken to be equal to that from the
  /// slip at t_n to the mean slip of the step, with the increment dq and the gradients G at its end.
  void find_slip_rotations(const Gradients& G, const Vector& dq);

  /// Whether any contact was closed.
  bool any() const { return !closed_.empty(); }
  /// Weight of G_{n+1} in the columns of a contact.
  double share(std::size_t contact) const { return share_[contact]; }
  /// Overwrites the gradients of the contacts that were closed by the mean.
  void average(Gradients& G) const;
  /// The same, with tangents rotated so that a multiplier opposing the slip at the end acts against that in the middle.
  void average_and_rotate(Gradients& G) const;

 private:
  /// A rotation of tangents in their plane.
  struct TangentRotation {
    double cosine = 1.0;
    double sine = 0.0;
  };
  struct Closed {
    std::size_t contact;
    bool slips;
    TangentRotation rotation;
  };
  void align(const Closed& closed, const double* now);
  /// Rotates two rows.
  static void rotate_tangents(const TangentRotation& rotation, const RowBlock<Contact>& block,
                              Index first_row, double* gradient);

  const System* system_;
  std::vector<Closed> closed_;
  std::vector<double> share_;  ///< weights of all contacts
  Gradients G_n_;
  const Vector* v_n_ = nullptr;
  std::vector<double> local_;  ///< buffer: the gradient of one contact
};

}  // namespace picus
