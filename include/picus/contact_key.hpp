#pragma once

/// What contacts that are found while bodies move are known by.

#include <compare>
#include <cstdint>

namespace picus {

/// Which contact it is: the same key means the same two features, in all steps and all runs of a model.
struct ContactKey {
  std::uint32_t set = 0;   ///< place among Model::contact_sets()
  std::uint32_t kind = 0;  ///< of the contact, as the set counts them
  std::uint32_t a = 0;     ///< feature of the one side, as the set counts them
  std::uint32_t b = 0;     ///< of the other

  auto operator<=>(const ContactKey&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(set, kind, a, b);
  }
};

}  // namespace picus
