#include <picus/contact_searches.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace picus {

ContactSearches::ContactSearches(const Model& model) : model_(&model) {
  for (const auto& [element, set] : model.contact_sets()) {
    set->check_among_others(model);
    searches_.push_back(set->make_search(model, static_cast<std::uint32_t>(searches_.size())));
  }
}

void ContactSearches::set_contacts(System& system, std::span<const ContactKey> keys) {
  contacts_.clear();
  for (const ContactKey& key : keys) {
    if (key.set >= searches_.size())
      throw ModelError(fmt::format("model \"{}\" has no contact set {}", model_->name(), key.set));
    contacts_.push_back({key, searches_[key.set]->contact(key)});
  }
  system.set_found_contacts(contacts_);
}

}  // namespace picus
