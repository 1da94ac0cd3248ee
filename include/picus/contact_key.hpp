#pragma once

/// Identification of contacts that are detected while bodies move.

#include <compare>
#include <cstdint>

namespace picus {

/// Identifies a contact: the same key means the same two features, in all steps and all runs of a model.
struct ContactKey {
  std::uint32_t set = 0;   ///< index into Model::contact_sets()
  std::uint32_t kind = 0;  ///< of the contact, as numbered by the set
  std::uint32_t a = 0;     ///< feature of one side, as numbered by the set
  std::uint32_t b = 0;     ///< feature of the other side

  auto operator<=>(const ContactKey&) const = default;  // NOLINT(modernize-use-nullptr): there is no pointer

  template <class Archive>
  void serialize(Archive& archive) {
    archive(set, kind, a, b);
  }
};

}  // namespace picus
