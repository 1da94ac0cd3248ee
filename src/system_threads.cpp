#include <picus/local_dofs.hpp>
#include <picus/system.hpp>

namespace picus {
namespace {

/// Smallest number of components to sum for which a further thread pays off.
constexpr std::size_t component_grain = 2048;

}  // namespace

void System::distribute_loops() {
  inertia_loop_ = {threads(), model_->inertias()};
  force_loop_ = {threads(), model_->forces()};
  constraint_loop_ = {threads(), constraints_};
  contact_loop_ = {threads(), contacts_};

  first_force_entry_.assign(velocity_count() + 1, 0);
  Index places = 0;
  for (const auto& [element, role] : model_->forces()) {
    force_place_.push_back(places);
    places += element->dof_count();
    for_each_dof(*element, [&](Index, Index dof) { ++first_force_entry_[dof + 1]; });
  }
  for (Index dof = 0; dof < velocity_count(); ++dof) first_force_entry_[dof + 1] += first_force_entry_[dof];
  force_entries_.resize(places);
  std::vector<Index> next(first_force_entry_.begin(), first_force_entry_.end() - 1);
  Index place = 0;
  for (const auto& [element, role] : model_->forces()) {
    const bool is_load = role->traits().is_load;
    for_each_dof(*element, [&](Index, Index dof) { force_entries_[next[dof]++] = {place++, is_load}; });
  }
}

void System::add_forces_together(const Motion& motion, double scale, Vector& r, double load_factor,
                                 ForceSelection selection) const {
  const auto forces = model_->forces();
  static thread_local std::vector<double> storage;  // for each thread that starts loops; grows once
  storage.resize(std::max(storage.size(), force_entries_.size()));
  const std::span<double> places(storage.data(), force_entries_.size());
  force_loop_.for_each(0, forces.size(), [&](std::size_t i) {
    const auto& [element, role] = forces[i];
    const std::span<double> f = places.subspan(force_place_[i], element->dof_count());
    std::fill(f.begin(), f.end(), 0.0);
    if (is_selected(role->traits(), selection)) role->force(motion, f);
  });
  const double factor_of_loads = load_factor != 1.0 ? scale * load_factor : scale;
  threads_->for_parts(r.size(), component_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t dof = first; dof < last; ++dof) {
      double sum = r[dof];
      for (Index e = first_force_entry_[dof]; e < first_force_entry_[dof + 1]; ++e)
        sum += (force_entries_[e].is_load ? factor_of_loads : scale) * places[force_entries_[e].place];
      r[dof] = sum;
    }
  });
}

}  // namespace picus
