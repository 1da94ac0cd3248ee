#pragma once

/// The directions along which contacts act in a step.
///
/// The impulse of a contact that stays closed acts, in the mean over the step, along the mean of its directions at t_n and
/// t_{n+1}: with those of t_{n+1} alone a curved or turning face makes the scheme first order, and it gains energy. For the
/// same reason friction acts against the slip at the middle of the step. A contact that closes in the step acts along
/// G_{n+1}. docs/theory.md derives the orders.

#include <picus/state.hpp>
#include <picus/system.hpp>

#include <span>
#include <vector>

namespace picus {

/// Columns (G_n + G_{n+1})^T / 2 of the contacts that were closed at t_n; all others keep G_{n+1}^T. (One that opens has no
/// multiplier: its columns are void.)
class MeanColumns {
 public:
  explicit MeanColumns(const System& system);

  /// Takes G of the contacts that were closed at t_n. Before, no contact was. `v_n` must outlive the step.
  void begin(const Configuration& q_n, const Vector& v_n, std::span<const ContactState> states_n);
  /// Turns the tangents of t_n within their planes to those nearest to the tangents at q, or in G. Contacts may choose their
  /// tangents anew anywhere, and means of tangents that do not belong together have no meaning.
  void align(const Configuration& q);
  void align(const Gradients& G);
  /// Finds how far the direction of slip turns in the half of a step that leads from q_n o exp(dq) / 2 to the end, whose
  /// gradients are G: from that at t_n to that of the mean motion it turns as far.
  void find_turns(const Gradients& G, const Vector& dq);

  /// Whether any contact was closed.
  bool any() const { return !closed_.empty(); }
  /// Part of G_{n+1} in the columns of a contact.
  double share(std::size_t contact) const { return share_[contact]; }
  /// Overwrites the gradients of the contacts that were closed with the mean.
  void average(Gradients& G) const;
  /// The same, with tangents turned so that a multiplier against the slip at the end acts against that in the middle.
  void average_and_turn(Gradients& G) const;

 private:
  /// A turn of tangents in their plane.
  struct Turn {
    double cosine = 1.0;
    double sine = 0.0;
  };
  struct Closed {
    std::size_t contact;
    bool slips;
    Turn turn;
  };
  void align(const Closed& closed, const double* now);
  /// Of two rows.
  static void turn_tangents(const Turn& turn, const RowBlock<Contact>& block, Index first_row,
                            double* gradient);

  const System* system_;
  std::vector<Closed> closed_;
  std::vector<double> share_;  ///< of all contacts
  Gradients G_n_;
  const Vector* v_n_ = nullptr;
  std::vector<double> local_;  ///< buffer: the gradient of one contact
};

}  // namespace picus
