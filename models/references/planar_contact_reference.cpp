#include <picus/models/references/planar_contact_reference.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

/// Initial slip rates below this count as zero, m/s.
constexpr double no_slip = 1e-12;

}  // namespace

PlanarContactReference::PlanarContactReference(const Parameters& parameters, StopRequest stop_request)
    : p_(parameters), motion_({p_.start, contact_at_start()}, p_.step, stop_request) {}

PlanarContactReference::Contact PlanarContactReference::contact_at_start() const {
  const double u = p_.directions(p_.start).t.dot(p_.start.v);
  if (std::abs(u) < no_slip) return contact_without_slip(p_.start);
  return u > 0 ? Contact::slips_forth : Contact::slips_back;
}

PlanarContactReference::Solution PlanarContactReference::solve(const Coordinates& at, Contact contact) const {
  const Vec3 free = p_.load.cwiseQuotient(p_.mass);
  if (contact == Contact::is_open) return {free, {0.0, 0.0}};
  const Directions d = p_.directions(at);
  const auto accelerated = [&](double N, double F) {
    return Vec3(free + (N * d.n + F * d.t).cwiseQuotient(p_.mass));
  };
  const Vec3 by_n = d.n.cwiseQuotient(p_.mass);
  const Vec3 by_t = d.t.cwiseQuotient(p_.mass);
  Forces forces{};
  if (contact == Contact::sticks) {
    Eigen::Matrix2d A;
    A << d.n.dot(by_n), d.n.dot(by_t), d.t.dot(by_n), d.t.dot(by_t);
    const Eigen::Vector2d both =
        A.inverse() * Eigen::Vector2d(-d.c_n - d.n.dot(free), -d.c_t - d.t.dot(free));
    forces = {both[0], both[1]};
  } else {
    const double part = contact == Contact::slips_forth ? -p_.mu : p_.mu;
    forces.normal = (-d.c_n - d.n.dot(free)) / d.n.dot(by_n + part * by_t);
    forces.friction = part * forces.normal;
  }
  return {accelerated(forces.normal, forces.friction), forces};
}

PlanarContactReference::Contact PlanarContactReference::contact_without_slip(const Coordinates& at) const {
  const Forces holds = solve(at, Contact::sticks).forces;
  if (std::abs(holds.friction) <= p_.mu * holds.normal) return Contact::sticks;
  return holds.friction > 0 ? Contact::slips_back : Contact::slips_forth;
}

PlanarContactReference::Coordinates PlanarContactReference::advance(const Coordinates& from, Contact contact,
                                                                    double h) const {
  const auto rate = [&](const Coordinates& at) { return Coordinates{at.v, solve(at, contact).acceleration}; };
  const auto moved = [&](const Coordinates& by, double step) {
    return Coordinates{from.q + step * by.q, from.v + step * by.v};
  };
  const Coordinates k1 = rate(from);
  const Coordinates k2 = rate(moved(k1, h / 2));
  const Coordinates k3 = rate(moved(k2, h / 2));
  const Coordinates k4 = rate(moved(k3, h));
  return moved({k1.q + 2 * k2.q + 2 * k3.q + k4.q, k1.v + 2 * k2.v + 2 * k3.v + k4.v}, h / 6);
}

/// Positive as long as the contact state persists. Units differ between the cases: only zeros are sought.
double PlanarContactReference::distance_to_event(const Coordinates& at, Contact contact) const {
  if (contact == Contact::is_open) return 1.0;
  const Forces forces = solve(at, contact).forces;
  if (contact == Contact::sticks)
    return std::min(forces.normal, p_.mu * forces.normal - std::abs(forces.friction));
  if (p_.mu == 0) return forces.normal;
  const double u = p_.directions(at).t.dot(at.v);
  // Slip starts from zero: no event is detected before it has grown.
  const double slip = (contact == Contact::slips_forth ? u : -u) + no_slip;
  return std::min(forces.normal, slip);
}

PlanarContactReference::Contact PlanarContactReference::after_event(const Coordinates& at,
                                                                    Contact before) const {
  if (solve(at, before).forces.normal <= 0) return Contact::is_open;
  return contact_without_slip(at);
}

PlanarContactReference::Motion PlanarContactReference::advance_through_events(Motion motion, double h) const {
  constexpr int max_events = 4;  // within one step
  for (int i = 0; i < max_events; ++i) {
    const Coordinates end = advance(motion.at, motion.contact, h);
    if (distance_to_event(end, motion.contact) >= 0) return {end, motion.contact};
    double before = 0.0;
    double after = h;
    while (after - before > 1e-15) {
      const double middle = (before + after) / 2;
      const bool is_before =
          distance_to_event(advance(motion.at, motion.contact, middle), motion.contact) >= 0;
      (is_before ? before : after) = middle;
    }
    const Coordinates event = advance(motion.at, motion.contact, after);
    motion = {event, after_event(event, motion.contact)};
    h -= after;
  }
  return {advance(motion.at, motion.contact, h), motion.contact};
}

const PlanarContactReference::Motion& PlanarContactReference::at(double t) {
  return motion_.at(t, [this](const Motion& from, double h) { return advance_through_events(from, h); });
}

PlanarContactReference::Forces PlanarContactReference::forces(double t) {
  const Motion& motion = at(t);
  return solve(motion.at, motion.contact).forces;
}

}  // namespace picus::models
