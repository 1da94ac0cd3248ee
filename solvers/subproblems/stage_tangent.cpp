// The tangent of a stage's equations, its coupling with other stages, and the response of contacts to
// increments.

#include <picus/solvers/subproblems/stage.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace picus {

template <class Visit>
void Stage::for_each_contact_point(Visit&& visit) {
  if (cones_.empty()) return;
  if (setting_.contact_points.empty())
    visit(*setting_.constraint_point, setting_.dq_constraints, all_contacts_);
  for (ContactPoint& one : setting_.contact_points) visit(*one.point, one.dq, one.contacts);
}

void Stage::update_charts() {
  const StageSetting& s = setting_;
  if (s.dq_forces.moves()) s.force_point->chart.update(s.force_point->dq);
  if (s.constraint_point != s.force_point && s.dq_constraints.moves())
    s.constraint_point->chart.update(s.constraint_point->dq);
  for (ContactPoint& one : s.contact_points) one.point->chart.update(one.point->dq);
}

const Vector& Stage::scaled_rows(double factor) {
  if (factor == 1) return row_scale_;
  scaled_row_ = factor * row_scale_;
  return scaled_row_;
}

void Stage::add_row_derivatives(Rate rate) {
  const StageSetting& s = setting_;
  const StagePoint& point = *s.constraint_point;
  const double dq_rate = s.dq_constraints.*rate;
  const double v_rate = s.v.*rate;
  if (s.rows == RowLevel::position) {
    kkt_.add_constraint_rows(point.G, scaled_rows(dq_rate), point.chart);
  } else if (s.rows == RowLevel::acceleration) {
    s.accelerations->add_constraint_rows(kkt_, row_scale_);
  } else if (dq_rate == 0) {
    kkt_.add_constraint_rows(point.G, scaled_rows(v_rate));
  } else {
    // Rows -k (v_rate G + dq_rate d(G v)/dq T), composed of G + dq_rate d(G v)/dq T and the rest.
    kkt_.add_constraint_rate_rows(point.G, {point.q, v_, point.t}, row_scale_, dq_rate, point.chart);
    if (v_rate != 1) kkt_.add_constraint_rows(point.G, scaled_rows(v_rate - 1));
  }
}

void Stage::add_contact_geometric_stiffness(Rate rate) {
  const bool averages = averages_contacts();
  const auto add = [&](const StagePoint& point, double factor, std::span<const std::size_t> contacts) {
    if (factor == 0) return;
    scaled_contact_.setZero();
    for (const std::size_t c : contacts) {
      const ContactCone& cone = cones_[c];
      const double share = averages ? setting_.mean_force_directions->share(c) : 1.0;
      scaled_contact_.segment(cone.first_row, cone.rows) =
          share * factor * contact_P_.segment(cone.first_row, cone.rows);
    }
    kkt_.add_contact_geometric_stiffness(point.q, scaled_contact_, point.chart);
  };
  if (cones_.empty() || contact_row_content_ == ContactRows::motion) return;
  if (setting_.contact_points.empty()) {
    const double factor = setting_.multiplier_factor * setting_.dq_forces.*rate;
    if (setting_.contacts == RowLevel::acceleration) {
      add(*setting_.force_point, factor, setting_.held);
    } else if (factor == 1 && !averages) {
      kkt_.add_contact_geometric_stiffness(setting_.force_point->q, contact_P_, setting_.force_point->chart);
    } else {
      add(*setting_.force_point, factor, all_contacts_);
    }
  }
  for (const ContactPoint& one : setting_.contact_points)
    add(*one.point, setting_.multiplier_factor * one.dq.*rate, one.contacts);
}

Stage::RowDerivatives Stage::contact_row_derivatives(Rate rate, const StagePoint& point, const StageMap& dq) {
  const StageSetting& s = setting_;
  if (s.contacts == RowLevel::acceleration) return {s.accelerations->contact_rows(), 1.0};
  const Gradients& G = s.constraint_point->contact_G;
  const double v_rate = s.v.*rate;
  const double dq_rate = dq.*rate;
  if (s.contacts == RowLevel::position) return {G, dq_rate / s.gap_unit};
  if (dq_rate == 0) return {G, v_rate};
  return {contact_rows_.evaluate(point.q, v_, G, v_rate, dq_rate, point.chart), 1.0};
}

void Stage::add_contact_derivatives(Rate rate) {
  const StageSetting& s = setting_;
  const bool is_own = rate == &StageMap::own;
  const Gradients& columns = contact_columns();
  for_each_contact_point([&](const StagePoint& point, const StageMap& dq,
                             std::span<const std::size_t> contacts) {
    const bool has_gaps = s.contacts == RowLevel::position;
    const auto [rows, factor] = contact_row_derivatives(rate, point, dq);
    for (const std::size_t c : contacts) {
      const ContactCone& cone = cones_[c];
      ContactEquations equations = linearise(cone);
      if (factor != 1) {
        for (double& entry : equations.D) entry *= factor;
      }
      if (!is_own) equations.E.fill(0.0);
      const double k = is_own ? s.multiplier_factor * cone.k : 0.0;
      std::array<double, max_contact_rows> scale;
      scale.fill(k);
      const std::size_t m = cone.rows;
      kkt_.add_contact(static_cast<Index>(c), columns, {scale.data(), m}, rows, {equations.D.data(), m * m},
                       {equations.E.data(), m * m}, has_gaps ? &point.chart : nullptr);
    }
  });
}

void Stage::add_force_tangents(double dq_rate, double v_rate) {
  const StageSetting& s = setting_;
  if (s.source == 0 || has_fixed_forces()) return;
  kkt_.add_force_tangents({s.force_point->q, force_velocity(), s.force_point->t}, s.source * dq_rate,
                          s.source * v_rate, s.force_point->chart);
}

void Stage::add_derivatives(Rate rate) {
  const StageSetting& s = setting_;
  const StagePoint& point = *s.force_point;
  const double dq_rate = s.dq_forces.*rate;
  add_force_tangents(dq_rate, s.v_forces.*rate);
  if (dq_rate != 0) {
    if (s.mass_moves) kkt_.add_mass_gradient(point.q, s.w_0 != nullptr ? w_ : z_, dq_rate, point.chart);
    kkt_.add_constraint_geometric_stiffness(point.q, point.t, mu_, s.multiplier_factor * dq_rate,
                                            point.chart);
  }
  add_contact_geometric_stiffness(rate);
  add_row_derivatives(rate);
  add_contact_derivatives(rate);
}

const SparseMatrix& Stage::tangent() {
  const Profile::Scope clock(system_->profile(), ProfilePart::assembly);
  const StageSetting& s = setting_;
  update_charts();
  if (s.mass != nullptr) {
    kkt_.begin(s.mass_of_z != nullptr ? *s.mass_of_z : s.mass->mass);
  } else {
    kkt_.begin();
  }
  add_derivatives(&StageMap::own);
  kkt_.add_constraint_columns(s.correction_columns != nullptr ? *s.correction_columns : s.force_point->G,
                              scaled_rows(s.multiplier_factor));
  kkt_.regularize(row_epsilon_);
  note_diagonal();
  return kkt_.matrix();
}

std::uint64_t Stage::tangent_family() const {
  return hashed(Subproblem::tangent_family(), setting_number_);
}

const SparseMatrix& Stage::tangent_with_updated_contacts() {
  const Profile::Scope clock(system_->profile(), ProfilePart::assembly);
  update_charts();
  kkt_.clear_contacts();
  add_contact_derivatives(&StageMap::own);
  return kkt_.matrix();
}

const SparseMatrix& Stage::coupling() {
  ++setting_number_;
  kkt_.begin();
  add_derivatives(&StageMap::other);
  return kkt_.matrix();
}

const SparseMatrix& Stage::coupling_with(ContactRows rows) {
  contact_row_content_ = rows;
  const SparseMatrix& matrix = coupling();
  contact_row_content_ = ContactRows::law;
  return matrix;
}

void Stage::respond(Rate rate, const Vector& dx, Vector& response) {
  const StageSetting& s = setting_;
  const auto free_dofs = system_->free_dofs();
  update_charts();
  response.setZero(system_->contact_row_count());
  for_each_contact_point(
      [&](const StagePoint& point, const StageMap& dq, std::span<const std::size_t> contacts) {
        const bool has_gaps = s.contacts == RowLevel::position;
        const auto [rows, factor] = contact_row_derivatives(rate, point, dq);
        work_.setZero();
        for (std::size_t i = 0; i < free_dofs.size(); ++i) work_[free_dofs[i]] = factor * dx[i];
        if (has_gaps) point.chart.push_forward(work_);
        System::multiply(system_->contact_entries(), rows, work_, scaled_contact_);
        for (const std::size_t c : contacts) {
          const ContactCone& cone = cones_[c];
          response.segment(cone.first_row, cone.rows) = scaled_contact_.segment(cone.first_row, cone.rows);
        }
      });
}

void Stage::contact_response(const Vector& dx, Vector& response) {
  respond(&StageMap::own, dx, response);
  if (is_relaxed_) response += compliance_ * dx.segment(kkt_.first_contact_unknown(), response.size());
}

void Stage::contact_response_to_other(const Vector& dx, Vector& response) {
  respond(&StageMap::other, dx, response);
}

}  // namespace picus
