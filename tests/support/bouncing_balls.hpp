#pragma once

/// Balls with contacts that come and go: contacts of points with planes that are detected as the points approach, and
/// a time integrator without a solver that lets them bounce.

#include <picus/contact_set.hpp>
#include <picus/local_dofs.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/free_flight.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace picus::support {

/// The contacts of some points with a plane, each with the index of its point as `a`, detected below the height
/// `reach`.
class NearPlane : public Element, public ContactSet {
 public:
  struct Parameters {
    std::string name;
    std::vector<PointNode> points;
    Mat3 axes = axes_of(Vec3::UnitZ());  ///< normal, first and second friction direction as columns
    Vec3 origin = Vec3::Zero();
    double reach = 0.5;
    ContactLaw law = {};
    bool is_blind = false;  ///< finds nothing, but reports what it misses
  };
  NearPlane(const Parameters& p, const Model&) : Element(p.name, std::vector<Node>{}), p_(p) {}

  std::unique_ptr<ContactSearch> make_search(const Model& model, std::uint32_t place) const override {
    return std::make_unique<Search>(p_, model, place);
  }
  std::vector<double> numbers(const Model&) const override { return {p_.origin.z(), p_.reach, p_.law.mu}; }
  std::vector<FeatureRange> features(const Model&) const override {
    return {{0, "balls", "vertex"}, {7, p_.name + " plane", ""}};
  }

 private:
  class Search : public ContactSearch {
   public:
    Search(const Parameters& p, const Model& model, std::uint32_t place) : p_(p), place_(place) {
      for (std::size_t i = 0; i < p.points.size(); ++i) {
        contacts_.push_back(std::make_unique<PlaneContact>(
            PlaneContact::Parameters{p.name + " " + std::to_string(i), p.points[i], p.origin, p.axes, p.law},
            model));
      }
    }
    void check_start(const Configuration&) override {}
    void find(const Configuration& q, const Configuration& end, std::span<const ContactKey>,
              std::vector<ContactKey>& found) override {
      if (p_.is_blind) return;
      for (std::uint32_t i = 0; i < contacts_.size(); ++i) {
        if (std::min(height(q, i), height(end, i)) < p_.reach) found.push_back(key(i));
      }
    }
    double find_undetected(const Configuration& q, std::span<const ContactKey> present,
                           std::vector<ContactKey>& undetected) override {
      double depth = 0.0;
      for (std::uint32_t i = 0; i < contacts_.size(); ++i) {
        if (height(q, i) >= 0 || std::ranges::binary_search(present, key(i))) continue;
        depth = std::max(depth, -height(q, i));
        if (!p_.is_blind) undetected.push_back(key(i));
      }
      return depth;
    }
    InRole<Contact> contact(const ContactKey& key) override {
      if (key.kind != 0 || key.a >= contacts_.size() || key.b != 7)
        throw ModelError("there is no such contact");
      return *contacts_[key.a];
    }

   private:
    double height(const Configuration& q, std::uint32_t i) const {
      return p_.axes.col(0).dot(q.position(p_.points[i]) - p_.origin);
    }
    ContactKey key(std::uint32_t i) const { return {place_, 0, i, 7}; }

    Parameters p_;
    std::uint32_t place_;
    std::vector<std::unique_ptr<PlaneContact>> contacts_;
  };

  Parameters p_;
};

/// Free flight; at the end of steps, closed contacts stop or reverse approaching motion: one after another, by their
/// laws, as if each node were a point mass `mass`.
class BouncingFlight : public FreeFlight {
 public:
  explicit BouncingFlight(const Options& options, double mass) : FreeFlight(options), mass_(mass) {}

  std::string_view name() const override { return "bouncing flight"; }
  void change_contacts(const State& state) override { const ExclusiveUse use = begin_change(state); }
  StepReport step(State& state) override {
    StepReport report = FreeFlight::step(state);
    std::size_t i = 0;
    for (const RowBlock<Contact>& block : system().contacts()) bounce(block, state, i++);
    return report;
  }

 private:
  void bounce(const RowBlock<Contact>& block, State& state, std::size_t number) const {
    std::array<double, max_contact_rows> gap{};
    block.role->displacement(state.q, state.q, std::span(gap.data(), block.rows));
    std::vector<double> gradient(block.rows * block.dofs, 0.0);
    block.role->gradient(state.q, gradient);
    const auto G = as_matrix(std::span(gradient), block.rows, block.dofs);
    Vector v(block.dofs);
    gather(*block.element, state.v, std::span(v.data(), v.size()));
    Vector rate = G * v, p = Vector::Zero(block.rows);
    ContactState& how = state.contact_state[number];
    how = gap[0] > 0 ? ContactState::gap : ContactState::stick;
    if (how != ContactState::gap) {
      const ContactLaw& law = block.role->law();
      p[0] = std::max(0.0, -(1 + law.e_n) * mass_ * rate[0]);
      if (block.rows > 1) {
        const Vector stop = -mass_ * rate.tail(block.rows - 1);
        const double most = law.mu * p[0];
        p.tail(block.rows - 1) = stop.norm() > most ? Vector(most * stop.normalized()) : stop;
        if (stop.norm() > most) how = ContactState::slip;
      }
      const Vector change = G.transpose() * p / mass_;
      for_each_dof(*block.element, [&](Index local, Index dof) { state.v[dof] += change[local]; });
      rate += G * change;
    }
    state.contact_impulse.segment(block.first_row, block.rows) = p;
    state.contact_rate.segment(block.first_row, block.rows) = rate;
  }

  double mass_;
};

/// Three balls of 2 kg at x = 0, 1, 2 and increasing heights above the set "ground", which is at z = 0 and has
/// friction, moving at 1 m/s along x; a set "wall" without friction at x = 2.25, and a declared contact "shelf" of
/// the first ball with the plane z = -1. They touch nothing before 0.3 s and bounce without loss.
inline Model make_bouncing_model(bool is_blind = false) {
  Model model("bouncing");
  std::vector<PointNode> balls;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "ball " + std::to_string(i);
    balls.push_back(model.add_point(name, {.position = {1.0 * i, 0, 0.5 + 0.2 * i}, .velocity = {1, 0, 0}}));
    model.add<PointMass>({.name = "mass " + name, .node = balls.back(), .mass = 2.0, .gravity = {0, 0, -10}});
  }
  model.add<PlaneContact>({.name = "shelf",
                           .point = balls[0],
                           .origin = {0, 0, -1},
                           .axes = axes_of(Vec3::UnitZ()),
                           .law = {.friction_directions = 0}});
  model.add<NearPlane>({.name = "ground",
                        .points = balls,
                        .reach = 0.3,
                        .law = {.mu = 0.02, .e_n = 1.0},
                        .is_blind = is_blind});
  model.add<NearPlane>({.name = "wall",
                        .points = balls,
                        .axes = axes_of(-Vec3::UnitX()),
                        .origin = {2.25, 0, 0},
                        .reach = 0.1,
                        .law = {.e_n = 1.0, .friction_directions = 0}});
  return model;
}

}  // namespace picus::support
