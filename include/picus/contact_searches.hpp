#pragma once

/// The contact searches of a run or of an analysis.

#include <picus/contact_set.hpp>
#include <picus/model.hpp>
#include <picus/system.hpp>

#include <memory>
#include <span>
#include <vector>

namespace picus {

/// One search for each contact set of a model.
class ContactSearches {
 public:
  /// The model must outlive it.
  explicit ContactSearches(const Model& model);

  /// Whether the model has no contact sets.
  bool empty() const { return searches_.empty(); }
  /// In the order of Model::contact_sets().
  std::span<const std::unique_ptr<ContactSearch>> all() const { return searches_; }
  /// Gives `system` the contacts with these keys (ascending), which are valid as long as this object exists. Throws
  /// ModelError for keys that the model does not have.
  void set_contacts(System& system, std::span<const ContactKey> keys);

 private:
  const Model* model_;
  std::vector<std::unique_ptr<ContactSearch>> searches_;
  std::vector<FoundContact> contacts_;
};

}  // namespace picus
