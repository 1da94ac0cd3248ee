#include <picus/local_dofs.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <numeric>

namespace picus {
namespace {

template <class R>
void append_block(const InRole<R>& role, std::vector<RowBlock<R>>& blocks, Index& row_count,
                  Index& source_count) {
  const Index n = role.element->dof_count();
  const Index m = role.role->row_count();
  blocks.push_back({role.element, role.role, n, m, row_count, source_count});
  row_count += m;
  source_count += m * n;
}

template <class R>
std::vector<RowBlock<R>> make_blocks(std::span<const InRole<R>> roles, Index& row_count,
                                     Index& source_count) {
  std::vector<RowBlock<R>> blocks;
  for (const InRole<R>& role : roles) append_block(role, blocks, row_count, source_count);
  return blocks;
}

bool has_frame(const Element& element) {
  const auto nodes = element.nodes();
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const Node& node) { return node.kind == NodeKind::frame; });
}

template <class R>
std::string describe(const std::vector<RowBlock<R>>& blocks, std::string_view kind, Index row) {
  for (const RowBlock<R>& block : blocks) {
    if (row < block.first_row + block.rows) {
      return fmt::format("row {} of {} \"{}\"", row - block.first_row + 1, kind, block.element->name());
    }
  }
  return fmt::format("row {}", row);
}

/// A change counts as being within one half of a step if the other half has at most this fraction of it. Smooth rates
/// have such steps next to their extrema; the error there is h/2 times the third derivative, in one of about ten.
constexpr double one_half_only = 0.05;

/// The derivative at t + h, from values at t, t + h/2 and t + h: of second order, and 0 if they are equal. If all of
/// the change is in one half, as with a jump, it is the mean over the step, so that its sum over the steps reproduces
/// the jump.
double end_difference(const std::function<double(double)>& rate, double t, double h) {
  const double middle = rate(t + 0.5 * h);
  const double first = middle - rate(t);
  const double second = rate(t + h) - middle;
  const auto [less, more] = std::minmax({std::abs(first), std::abs(second)});
  return less > one_half_only * more ? (3.0 * second - first) / h : (second + first) / h;
}

}  // namespace

System::System(const Model& model, int threads)
    : model_(&model), threads_(Threads::make(threads, model.elements().size())), use_(model.use()) {
  number_dofs();
  number_rows();
  if (threads_ != nullptr) distribute_loops();
  find_structure();
  for (const auto& [element, role] : model.forces()) {
    const Force::Traits traits = role->traits();
    if (traits.depends_on_velocity) has_symmetric_tangents_ = false;
    if (!traits.depends_on_configuration) continue;
    if (!traits.is_conservative || has_frame(*element)) has_symmetric_tangents_ = false;
  }
  for (const auto& [element, role] : model.inertias()) {
    if (!role->has_constant_mass()) has_symmetric_tangents_ = false;
  }
}

void System::number_dofs() {
  const Index count = velocity_count();
  free_index_.assign(count, -1);
  for (Index dof = 0; dof < count; ++dof) {
    const auto driven = model_->driven().find(dof);
    if (driven != model_->driven().end()) {
      driven_.push_back({dof, &driven->second});
      prescribed_dofs_.push_back(dof);
    } else if (model_->is_fixed(dof)) {
      prescribed_dofs_.push_back(dof);
    } else {
      free_index_[dof] = count_of(free_dofs_);
      free_dofs_.push_back(dof);
    }
  }
  if (free_dofs_.empty()) {
    throw ModelError(fmt::format("model \"{}\" has no free component: nothing can move", model_->name()));
  }

  Eigen::AlignedBox3d box;
  for (const Node& node : nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    box.extend(model_->initial_configuration().position(node));
  }
  const double extent = box.isEmpty() ? 0.0 : box.diagonal().norm();
  length_scale_ = extent > 0 ? extent : 1.0;
}

void System::require_state(const State& state) const {
  const std::uint32_t model = state.q.model();
  if (model != Configuration::any_model && model != model_->number())
    throw ModelError(fmt::format("the state is of another model than \"{}\"", model_->name()));
  const auto require = [&](std::string_view what, std::size_t size, std::size_t expected) {
    if (size == expected) return;
    throw ModelError(
        fmt::format("the state is not one of this system of model \"{}\": {} has {} entries, must have {}",
                    model_->name(), what, size, expected));
  };
  const auto require_vector = [&](std::string_view what, const Vector& x, Index expected) {
    require(what, x.size(), expected);
  };
  require("q", state.q.data().size(), model_->initial_configuration().data().size());
  require_vector("v", state.v, velocity_count());
  require_vector("acceleration", state.acceleration, velocity_count());
  require_vector("constraint_force", state.constraint_force, row_count_);
  require_vector("constraint_impulse", state.constraint_impulse, row_count_);
  require_vector("contact_impulse", state.contact_impulse, contact_row_count_);
  require_vector("contact_rate", state.contact_rate, contact_row_count_);
  require_vector("contact_slip", state.contact_slip, contact_row_count_);
  require_vector("position_multiplier", state.position_multiplier, contact_row_count_);
  require_vector("contact_impulse_change", state.contact_impulse_change, contact_row_count_);
  require_vector("position_multiplier_change", state.position_multiplier_change, contact_row_count_);
  require_vector("reaction", state.reaction, velocity_count());
  require("contact_state", state.contact_state.size(), contacts_.size());
  require("found_contacts", state.found_contacts.size(), found_.size());
}

void System::number_rows() {
  constraints_ = make_blocks(model_->constraints(), row_count_, constraint_gradient_size_);
  contacts_ = make_blocks(model_->contacts(), contact_row_count_, contact_gradient_size_);
  for (const auto& element : model_->elements())
    largest_element_ = std::max(largest_element_, element->dof_count());
  declared_count_ = contacts_.size();
  declared_row_count_ = contact_row_count_;
  declared_gradient_size_ = contact_gradient_size_;
  sort_contacts();
  for (const auto& block : constraints_) is_rheonomic_ = is_rheonomic_ || block.role->is_rheonomic();
}

void System::sort_contacts() {
  contacts_by_address_.resize(contacts_.size());
  std::iota(contacts_by_address_.begin(), contacts_by_address_.end(), 0U);
  std::ranges::sort(contacts_by_address_, std::less<>(), [&](std::size_t i) { return contacts_[i].element; });
}

void System::set_found_contacts(std::span<const FoundContact> found) {
  is_searched_ = true;
  contacts_.resize(declared_count_);
  contact_entries_.resize(declared_entry_count_);
  contact_row_count_ = declared_row_count_;
  contact_gradient_size_ = declared_gradient_size_;
  found_.clear();
  for (const auto& [key, contact] : found) {
    found_.push_back(key);
    append_block(contact, contacts_, contact_row_count_, contact_gradient_size_);
    const RowBlock<Contact>& block = contacts_.back();
    largest_element_ = std::max(largest_element_, block.dofs);
    for_each_dof(*block.element, [&](Index c, Index dof) {
      for (Index r = 0; r < block.rows; ++r)
        contact_entries_.push_back({block.first_source + c * block.rows + r, block.first_row + r, dof});
    });
  }
  sort_contacts();
}

std::size_t System::find_contact(const Element* element) const {
  if (element == nullptr) throw ModelError("the contact is not given");
  const auto place = std::ranges::lower_bound(contacts_by_address_, element, std::less<>(),
                                              [&](std::size_t i) { return contacts_[i].element; });
  if (place == contacts_by_address_.end() || contacts_[*place].element != element)
    throw ModelError(fmt::format("the contact is none of model \"{}\"", model_->name()));
  return *place;
}

bool System::is_selected(const Force::Traits& traits, ForceSelection selection) {
  return selection == ForceSelection::all ||
         traits.depends_on_velocity == (selection == ForceSelection::of_velocity);
}

void System::add_forces(const Motion& motion, double scale, Vector& r, double load_factor,
                        ForceSelection selection) const {
  if (threads_ != nullptr) return add_forces_together(motion, scale, r, load_factor, selection);
  for (const auto& [element, role] : model_->forces()) {
    if (selection != ForceSelection::all && !is_selected(role->traits(), selection)) continue;
    std::array<double, max_local_dofs> buffer;
    const std::span<double> f(buffer.data(), element->dof_count());
    std::fill(f.begin(), f.end(), 0.0);
    role->force(motion, f);
    const double factor = load_factor != 1.0 && role->traits().is_load ? scale * load_factor : scale;
    std::size_t k = 0;
    for (const Node& node : element->nodes()) {
      for (Index i = 0; i < velocity_size(node.kind); ++i) r[node.v + i] += factor * f[k++];
    }
  }
}

double System::potential_energy(const Configuration& q, double t) const {
  double sum = 0;
  for (const auto& [element, role] : model_->forces()) {
    if (role->traits().has_potential) sum += role->potential_energy(q, t);
  }
  return sum;
}

std::string System::find_fault(const Configuration& q) const {
  const auto elements = model_->limited();
  std::atomic<std::size_t> first = elements.size();
  ElementLoop(threads(), elements).for_each(0, elements.size(), [&](std::size_t i) {
    std::size_t before = first;
    if (i > before || elements[i].role->fault(q).empty()) return;
    while (i < before && !first.compare_exchange_weak(before, i)) {
    }
  });
  if (first == elements.size()) return {};
  const auto& [element, role] = elements[first];
  return fmt::format("element \"{}\" {}", element->name(), role->fault(q));
}

void System::evaluate_constraint_residual(const Configuration& q, double t, Vector& g) const {
  g.setZero();
  constraint_loop_.for_each(0, constraints_.size(), [&](std::size_t i) {
    const auto& block = constraints_[i];
    block.role->residual(q, t, std::span(g.data() + block.first_row, block.rows));
  });
}

void System::evaluate_gradients(const Configuration& q, double t, Gradients& G) const {
  std::fill(G.values.begin(), G.values.end(), 0.0);
  constraint_loop_.for_each(0, constraints_.size(), [&](std::size_t i) {
    const auto& block = constraints_[i];
    block.role->gradient(q, t, std::span(G.values.data() + block.first_source, block.rows * block.dofs));
  });
}

void System::evaluate_partial_rates(const Configuration& q, double t, Vector& g_t) const {
  g_t.setZero();
  constraint_loop_.for_each(0, constraints_.size(), [&](std::size_t i) {
    const auto& block = constraints_[i];
    if (!block.role->is_rheonomic()) return;
    block.role->partial_rate(q, t, std::span(g_t.data() + block.first_row, block.rows));
  });
}

void System::evaluate_gaps(const Configuration& q_n, const Configuration& q, Vector& g) const {
  g.setZero();
  contact_loop_.for_each(0, contacts_.size(), [&](std::size_t i) {
    const auto& block = contacts_[i];
    block.role->displacement(q_n, q, std::span(g.data() + block.first_row, block.rows));
  });
}

void System::evaluate_contact_gradients(const Configuration& q, Gradients& G) const {
  std::fill(G.values.begin(), G.values.end(), 0.0);
  contact_loop_.for_each(0, contacts_.size(), [&](std::size_t i) {
    const auto& block = contacts_[i];
    block.role->gradient(q, std::span(G.values.data() + block.first_source, block.rows * block.dofs));
  });
}

void System::add_transpose(std::span<const GradientEntry> entries, const Gradients& G, const Vector& lambda,
                           double scale, Vector& r) {
  const double* values = G.values.data();
  for (const GradientEntry& e : entries) r[e.dof] += scale * values[e.source] * lambda[e.row];
}

void System::multiply(std::span<const GradientEntry> entries, const Gradients& G, const Vector& v,
                      Vector& out) {
  out.setZero();
  const double* values = G.values.data();
  for (const GradientEntry& e : entries) out[e.row] += values[e.source] * v[e.dof];
}

Gradients System::make_constraint_gradients() const {
  return {std::vector<double>(constraint_gradient_size_, 0.0)};
}

Gradients System::make_contact_gradients() const {
  return {std::vector<double>(contact_gradient_size_, 0.0)};
}

void System::prescribe(double t, double h, Vector& dq, Vector& v, Vector& a) const {
  for (const Index dof : prescribed_dofs_) dq[dof] = v[dof] = a[dof] = 0.0;
  for (const auto& [dof, motion] : driven_) {
    dq[dof] = motion->displacement(t + h) - motion->displacement(t);
    v[dof] = motion->rate(t + h);
    a[dof] = motion->acceleration ? motion->acceleration(t + h) : end_difference(motion->rate, t, h);
    if (!std::isfinite(dq[dof]) || !std::isfinite(v[dof]) || !std::isfinite(a[dof])) {
      throw SolverError(
          fmt::format("the motion that drives {} is not finite at t = {}", describe_dof(dof), t + h));
    }
  }
}

void System::clear_prescribed(Vector& x) const {
  for (const Index dof : prescribed_dofs_) x[dof] = 0.0;
}

std::string System::describe_row(Index row) const {
  return describe(constraints_, "constraint", row);
}

std::string System::describe_contact_row(Index row) const {
  return describe(contacts_, "contact", row);
}

}  // namespace picus
