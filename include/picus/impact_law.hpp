#pragma once

#include <cstdint>

namespace picus {

struct Culprit;

/// The law of impact of a contact: what its normal coefficient of restitution e_n means when surfaces collide. For a
/// single contact without friction all laws give the same speed of separation, e_n times the speed of approach; they
/// differ where friction or several contacts take part in an impact.
///
/// `newton`: the rate after the impact is -e_n times that before it, contact by contact. With friction, or several
/// contacts, an impact may gain energy (Kane 1984), and balls in contact do not behave like Newton's cradle.
///
/// `poisson`: two phases (Glocker and Pfeiffer 1995). Compression ends with rates that are not negative; in the
/// expansion a contact gives back at least e_n times the normal impulse of the compression. Coulomb friction in both.
///
/// `lzb`: contacts deform and recover during the impact (Liu, Zhao and Brogliato 2008), by F = K x^exponent, at frozen
/// positions; e_n^2 is the part of the energy of a deformation that is given back (Stronge). Only ratios of stiffnesses
/// matter, and the exponent: they determine how momentum is distributed over several contacts.
///
/// Impacts by `poisson` and `lzb` never gain energy at frozen positions. Both require e_t = 0.
struct ImpactLaw {
  /// The available laws.
  enum class Kind : std::uint8_t {
    newton,   ///< coefficient of velocities
    poisson,  ///< coefficient of impulses
    lzb,      ///< coefficient of energies, with the distribution of impulses after Liu, Zhao and Brogliato
  };

  /// Newton's law.
  static constexpr ImpactLaw newton() { return {}; }
  /// Poisson's law.
  static constexpr ImpactLaw poisson() { return {.kind = Kind::poisson}; }
  /// The law of Liu, Zhao and Brogliato. `stiffness` > 0 is relative to that of the other contacts of the model;
  /// `exponent`, in [1, 4], is 3/2 for curved surfaces (Hertz), 1 for linear ones, and the same for all contacts.
  static constexpr ImpactLaw lzb(double stiffness = 1.0, double exponent = 1.5) {
    return {.kind = Kind::lzb, .stiffness = stiffness, .exponent = exponent};
  }

  Kind kind = Kind::newton;  ///< the law
  double stiffness = 1.0;    ///< K, relative; of `lzb`
  double exponent = 1.5;     ///< of the deformation; of `lzb`

  bool operator==(const ImpactLaw&) const = default;
};

/// Throws ModelError unless the stiffness is positive and the exponent lies in [1, 4], and e_t, of the same contact, is
/// 0 unless the law is Newton's.
void require_impact_law(const Culprit& who, const ImpactLaw& law, double e_t);

}  // namespace picus
