#include <picus/local_dofs.hpp>
#include <picus/solvers/subproblems/acceleration_rows.hpp>

#include <algorithm>

namespace picus {

AccelerationRows::Point::Point(const System& system)
    : dq_0(Vector::Zero(system.velocity_count())),
      dq(dq_0),
      v(dq_0),
      q(system.model().initial_configuration()),
      chart(system),
      G(system.make_constraint_gradients()),
      contact_G(system.make_contact_gradients()) {}

AccelerationRows::AccelerationRows(const System& system)
    : system_(&system),
      points_{Point(system), Point(system)},
      contact_rate_rows_(system),
      contact_rows_(system.make_contact_gradients()),
      rate_(Vector::Zero(system.row_count())),
      partial_rate_(rate_),
      scaled_k_(rate_) {
  contacts_.reserve(system.contacts().size());
}

void AccelerationRows::set_contacts(std::span<const std::size_t> contacts) {
  contacts_.assign(contacts.begin(), contacts.end());
  std::ranges::fill(contact_rows_.values, 0.0);
}

void AccelerationRows::begin(const Configuration& q_n, const StageMap& dq, const StageMap& v, double t,
                             double c, double interval, bool has_constraints) {
  q_n_ = &q_n;
  has_constraints_ = has_constraints;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Point& point = points_[i];
    const double d = i == 0 ? -interval : interval;
    point.t = t + d;
    point.weight = 0.5 * c / d;
    point.dq_0 = *dq.constant + d * *v.constant;
    point.dq_map = {.constant = &point.dq_0, .own = dq.own + d * v.own};
    point.v_map = {.constant = v.constant, .own = v.own + d / c};
  }
}

void AccelerationRows::evaluate(const Vector& z) {
  for (Point& point : points_) {
    point.dq_map.evaluate(z, point.dq);
    point.v_map.evaluate(z, point.v);
    retract(system_->nodes(), *q_n_, point.dq, point.q);
    if (has_constraints_) system_->evaluate_gradients(point.q, point.t, point.G);
    for (const std::size_t c : contacts_) {
      const auto& block = system_->contacts()[c];
      const std::span<double> G(point.contact_G.values.data() + block.first_source, block.rows * block.dofs);
      std::ranges::fill(G, 0.0);
      block.role->gradient(point.q, G);
    }
  }
}

void AccelerationRows::constraint_values(Vector& values) {
  values.setZero();
  for (const Point& point : points_) {
    System::multiply(system_->constraint_entries(), point.G, point.v, rate_);
    values += point.weight * rate_;
    if (!system_->is_rheonomic()) continue;
    system_->evaluate_partial_rates(point.q, point.t, partial_rate_);
    values += point.weight * partial_rate_;
  }
}

void AccelerationRows::contact_values(Vector& values) const {
  for (const std::size_t c : contacts_) {
    const auto& block = system_->contacts()[c];
    auto part = values.segment(block.first_row, block.rows);
    part.setZero();
    for (const Point& point : points_) {
      const double* G = point.contact_G.values.data() + block.first_source;
      for_each_dof(*block.element, [&](Index j, Index dof) {
        for (Index i = 0; i < block.rows; ++i) part[i] += point.weight * G[block.rows * j + i] * point.v[dof];
      });
    }
  }
}

void AccelerationRows::add_constraint_rows(KktAssembler& kkt, const Vector& k) {
  for (Point& point : points_) {
    point.chart.update(point.dq);
    // Rows -k (v_rate G + dq_rate d(G v)/dq T), composed of G + dq_rate/v_rate d(G v)/dq T.
    scaled_k_ = point.weight * point.v_map.own * k;
    kkt.add_constraint_rate_rows(point.G, {point.q, point.v, point.t}, scaled_k_,
                                 point.dq_map.own / point.v_map.own, point.chart);
  }
}

const Gradients& AccelerationRows::contact_rows() {
  for (const std::size_t c : contacts_) {
    const auto& block = system_->contacts()[c];
    double* rows = contact_rows_.values.data() + block.first_source;
    std::fill(rows, rows + block.rows * block.dofs, 0.0);
  }
  for (Point& point : points_) {
    point.chart.update(point.dq);
    const Gradients& one = contact_rate_rows_.evaluate(point.q, point.v, point.contact_G, point.v_map.own,
                                                       point.dq_map.own, point.chart, contacts_);
    for (const std::size_t c : contacts_) {
      const auto& block = system_->contacts()[c];
      const std::size_t end = block.first_source + block.rows * block.dofs;
      for (std::size_t i = block.first_source; i < end; ++i)
        contact_rows_.values[i] += point.weight * one.values[i];
    }
  }
  return contact_rows_;
}

}  // namespace picus
