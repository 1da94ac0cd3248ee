#include "drawn_contacts.hpp"

#include <algorithm>
#include <array>

namespace picus::results {
namespace {

/// dg_k/dx of the first node, from a gradient with `rows` rows.
Vec3 direction(std::span<const double> G, Index rows, Index k) {
  const auto entry = [&](Index column) { return G[k + rows * column]; };
  return {entry(0), entry(1), entry(2)};
}

Vec3 velocity_at(const Vec3& x, const Node& node, const State& state) {
  const Vec3 u = state.v.segment<3>(node.v);
  if (node.kind != NodeKind::frame) return u;
  const Mat3 R = state.q.rotation(node);
  const Vec3 omega = state.v.segment<3>(node.v + 3);
  return u + (R * omega).cross(x - state.q.position(node));
}

bool is_known(ContactState state) {
  return state <= ContactState::slip;
}

Column make_vectors(const char* name, Index count, const char* unit, const char* description,
                    Vec3 ContactPicture::*part) {
  Column column =
      make_column<float>(name, {count, 3}, unit, description, [part](const Sample& sample, float* row) {
        for (const ContactPicture& contact : sample.contacts) {
          for (Index i = 0; i < 3; ++i) *row++ = static_cast<float>((contact.*part)[i]);
        }
      });
  column.is_plain = column.is_flat = true;
  return column;
}

}  // namespace

DrawnContacts::DrawnContacts(const System& system, double seconds)
    : seconds_(seconds),
      impulse_(Vector::Zero(system.declared_contact_row_count())),
      state_(system.declared_contacts().size(), ContactState::gap) {
  Index number = 0;
  for (const RowBlock<picus::Contact>& block : system.declared_contacts()) {
    const bool has_place =
        !block.element->nodes().empty() && block.element->nodes()[0].kind != NodeKind::scalar;
    if (has_place) contacts_.push_back({block.element, block.role, number, block.rows, block.first_row});
    ++number;
  }
  pictures_.resize(contacts_.size());
}

std::vector<std::string> DrawnContacts::names() const {
  std::vector<std::string> names;
  for (const Contact& contact : contacts_) names.push_back(contact.element->name());
  return names;
}

void DrawnContacts::add(const State& state) {
  impulse_ += state.contact_impulse.head(impulse_.size());
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = std::max(state_[i], state.contact_state[i]);
  ++steps_;
}

void DrawnContacts::evaluate(const State& state, const Vector& gaps) {
  const double seconds = seconds_ * static_cast<double>(std::max<std::int64_t>(steps_, 1));
  std::array<double, max_contact_rows * max_local_dofs> storage;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const Node& node = contact.element->nodes()[0];
    const std::span<double> G(storage.data(), contact.rows * contact.element->dof_count());
    std::fill(G.begin(), G.end(), 0.0);
    contact.role->gradient(state.q, G);

    ContactPicture& picture = pictures_[i];
    picture.point = contact.role->contact_point(state.q).value_or(state.q.position(node));
    picture.velocity = velocity_at(picture.point, node, state);
    picture.normal = direction(G, contact.rows, 0).normalized();
    picture.force.setZero();
    picture.state = state_[contact.number];
    const bool was_closed = picture.state != ContactState::gap;  // otherwise its impulses are rounding errors
    for (Index k = 0; was_closed && k < contact.rows; ++k) {
      picture.force += impulse_[contact.first_row + k] / seconds * direction(G, contact.rows, k);
    }
    picture.gap = gaps[contact.first_row];
  }
  impulse_.setZero();
  steps_ = 0;
  std::fill(state_.begin(), state_.end(), ContactState::gap);
}

void DrawnContacts::serialize(Archive& archive) {
  constexpr auto most_steps = static_cast<std::int64_t>(9e15);  // upper bound for any run
  archive.in_place(impulse_, steps_, state_);
  archive.require(steps_ >= 0 && steps_ <= most_steps && std::all_of(state_.begin(), state_.end(), is_known));
}

std::vector<Column> DrawnContacts::make_columns() const {
  if (contacts_.empty()) return {};
  Column gap = make_column<float>(contact_gap, {count()}, "m", "normal gaps of the drawn contacts",
                                  [](const Sample& sample, float* row) {
                                    for (const ContactPicture& contact : sample.contacts)
                                      *row++ = static_cast<float>(contact.gap);
                                  });
  Column state = make_column<std::uint8_t>(
      contact_state, {count()}, "1",
      "of the drawn contacts: 0 gap, 1 stick, 2 slip; the largest since the picture before",
      [](const Sample& sample, std::uint8_t* row) {
        for (const ContactPicture& contact : sample.contacts)
          *row++ = static_cast<std::uint8_t>(contact.state);
      });
  gap.is_plain = gap.is_flat = state.is_plain = state.is_flat = true;
  return {
      make_vectors(contact_normal, count(), "1",
                   "unit normals of the drawn contacts, towards their first nodes", &ContactPicture::normal),
      make_vectors(contact_force, count(), "N",
                   "forces of the drawn contacts on their first nodes, mean since the picture before",
                   &ContactPicture::force),
      std::move(gap), std::move(state)};
}

}  // namespace picus::results
