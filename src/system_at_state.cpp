#include <picus/system_at_state.hpp>

namespace picus {

SystemAtState::SystemAtState(const Model& model, const State& state, int threads)
    : system_(model, threads), searches_(model) {
  if (!searches_.empty() || !state.found_contacts.empty())
    searches_.set_contacts(system_, state.found_contacts);
  system_.require_state(state);
}

}  // namespace picus
