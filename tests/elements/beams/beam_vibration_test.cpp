// Natural frequencies of beams against theory.

#include <picus/elements/beams/beam_builder.hpp>
#include <support/dense_statics.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace picus::beam_vibration_test {
namespace {

constexpr double pi = std::numbers::pi;

/// Length 1, EI = 1 about d1 and 2.25 about d2, rho A = 1; thin enough for Euler-Bernoulli theory to five digits.
Section thin_section() {
  return Section::constants({.EA = 1e7,
                             .GA1 = 4e6,
                             .GA2 = 4e6,
                             .GJ = 1,
                             .EI1 = 1,
                             .EI2 = 2.25,
                             .mass = 1,
                             .I1 = 1e-7,
                             .I2 = 2.25e-7});
}

struct Straight {
  Straight(const Section& section, int elements, BeamMass mass = BeamMass::consistent) {
    beam = make_beam(
        model, {.name = "beam", .section = section, .to = Vec3(1, 0, 0), .elements = elements, .mass = mass});
  }
  Vector frequencies() {
    support::DenseStatics statics(model);
    return statics.modes().eigenvalues().cwiseMax(0).cwiseSqrt();
  }
  Model model;
  BeamMesh beam;
};

/// The value of `all` next to `expected`.
double nearest(const Vector& all, double expected) {
  Index i = 0;
  (all.array() - expected).abs().minCoeff(&i);
  return all[i];
}

/// (4 fine - coarse)/3: eliminates the error of second order.
double extrapolated(const std::function<double(int)>& value, int n) {
  return (4 * value(2 * n) - value(n)) / 3;
}

TEST(BeamVibration, CantileverHasTheFrequenciesOfEulerAndBernoulli) {
  const std::array<double, 3> lambda = {1.875104068711961, 4.694091132974175, 7.854757438237613};
  for (const BeamMass mass : {BeamMass::consistent, BeamMass::lumped}) {
    const auto frequencies = [&](int n) {
      Straight beam(thin_section(), n, mass);
      beam.model.fix(beam.beam.first());
      return beam.frequencies();
    };
    const Vector coarse = frequencies(16);
    const Vector fine = frequencies(32);
    for (const double root_of_EI : {1.0, 1.5}) {
      for (const double l : lambda) {
        const double exact = root_of_EI * l * l;
        const double error = nearest(coarse, exact) / exact - 1;
        const double half = nearest(fine, exact) / exact - 1;
        EXPECT_LT(std::abs(error), std::pow(l / 16, 2) / 4) << l;
        // Of second order; the next terms are smaller by (l/16)^2, and shear and rotation add 1e-5.
        EXPECT_NEAR(error / half, 4, 0.05 + 3 * std::pow(l / 16, 2)) << l;
        EXPECT_NEAR((4 * half - error) / 3, 0, 0.1 * std::pow(l / 16, 4) + 1e-5) << l;
      }
    }
  }
}

TEST(BeamVibration, FreeBeamHasSixRigidModesAndItsFrequencies) {
  const std::array<double, 3> lambda = {4.730040744862704, 7.853204624095838, 10.99560783800167};
  const Vector coarse = Straight(thin_section(), 16).frequencies();
  const Vector fine = Straight(thin_section(), 32).frequencies();
  // Squares are zero to within rounding of the largest.
  EXPECT_LT(std::pow(fine[5] / fine[fine.size() - 1], 2), 1e-14);
  EXPECT_NEAR(fine[6], 22.37, 0.01 * 22.37);
  for (const double l : lambda) {
    const double exact = l * l;
    const double found = (4 * nearest(fine, exact) - nearest(coarse, exact)) / 3;
    EXPECT_NEAR(found, exact, (0.1 * std::pow(l / 16, 4) + 1e-5) * exact) << l;
  }
}

TEST(BeamVibration, DeepHingedBeamHasTheFrequenciesOfTimoshenko) {
  // Both branches of EI k^4 - rho A w^2 - (rho I + EI rho A/GA) k^2 w^2 + rho I rho A/GA w^4 = 0, k = pi m/L.
  const double EI = 2, GA = 30, rhoI = 0.05;
  const Section section = Section::constants({.EA = 1e4,
                                              .GA1 = GA,
                                              .GA2 = 1e3,
                                              .GJ = 1e3,
                                              .EI1 = 1e3,
                                              .EI2 = EI,
                                              .mass = 1,
                                              .I1 = 1e-3,
                                              .I2 = rhoI});
  for (const int m : {1, 2}) {
    const double k = pi * m;
    const double b = 1 + (rhoI + EI / GA) * k * k;
    const double a = rhoI / GA;
    const double root = std::sqrt(b * b - 4 * a * EI * std::pow(k, 4));
    for (const double exact : {std::sqrt((b - root) / (2 * a)), std::sqrt((b + root) / (2 * a))}) {
      const auto frequency = [&](int n) {
        Straight beam(section, n);
        for (const FrameNode& node : beam.beam.nodes) beam.model.restrict_to_plane(node);
        beam.model.fix(beam.beam.first(), {Component::x, Component::y});
        beam.model.fix(beam.beam.last(), {Component::y});
        return nearest(beam.frequencies(), exact);
      };
      EXPECT_NEAR(extrapolated(frequency, 20), exact, 1e-4 * exact) << m;  // of fourth order: (pi m/20)^4/10
    }
  }
}

TEST(BeamVibration, RodsAndShaftsHaveTheFrequenciesOfTheirChains) {
  // Chains of n equal links, fixed at one end, with c the speed of waves and k h = pi/(2 n) in the first mode:
  // consistent mass w^2 = 6 (c/h)^2 (1 - cos kh)/(2 + cos kh), lumped mass w = 2 (c/h) sin(kh/2).
  const Section section = Section::constants({.EA = 1.21,
                                              .GA1 = 1,
                                              .GA2 = 1,
                                              .GJ = 0.12,
                                              .EI1 = 0.1,
                                              .EI2 = 0.1,
                                              .mass = 1,
                                              .I1 = 0.02,
                                              .I2 = 0.01});
  const int n = 7;
  const double kh = pi / (2 * n);
  const double consistent = n * std::sqrt(6 * (1 - std::cos(kh)) / (2 + std::cos(kh)));
  const double lumped = 2 * n * std::sin(kh / 2);
  for (const BeamMass mass : {BeamMass::consistent, BeamMass::lumped}) {
    Straight beam(section, n, mass);
    beam.model.fix(beam.beam.first());
    const Vector all = beam.frequencies();
    const double axial = 1.1 * (mass == BeamMass::lumped ? lumped : consistent);
    const double torsional = 2 * lumped;  // sqrt(GJ/(I1 + I2)) = 2; rotational inertia is always lumped
    EXPECT_NEAR(nearest(all, axial), axial, 1e-12);
    EXPECT_NEAR(nearest(all, torsional), torsional, 1e-12);
  }
}

/// First flapwise frequency of a cantilever that rotates about z with the speed Omega, in the rotating frame:
/// centrifugal forces Omega^2 M (x, y, 0) act on the translations.
double flapping(int n, double Omega) {
  Straight beam(thin_section(), n);
  beam.model.fix(beam.beam.first());
  support::DenseStatics statics(beam.model);
  const Eigen::MatrixXd M = statics.mass();
  statics.extra = [&](const Configuration& q, Vector& f, Eigen::MatrixXd& K) {
    Vector arm = Vector::Zero(statics.size());
    for (const FrameNode& node : beam.beam.nodes) {
      for (const Component c : {Component::x, Component::y}) {
        const Index i = statics.free(node, c);
        if (i >= 0) arm[i] = q.position(node)[place_of(c)];
      }
    }
    const Vector pull = Omega * Omega * (M * arm);
    for (const FrameNode& node : beam.beam.nodes) {
      for (const Component c : {Component::x, Component::y}) {
        const Index i = statics.free(node, c);
        if (i < 0) continue;
        f[node.v + place_of(c)] += pull[i];
        for (const FrameNode& other : beam.beam.nodes) {
          const Index j = statics.free(other, c);
          if (j >= 0) K(i, j) -= Omega * Omega * M(i, j);
        }
      }
    }
  };
  // The load is a pseudo-time here: one increment suffices.
  statics.solve(1.0);
  const auto modes = statics.modes();
  // The lowest mode that moves the tip along z.
  const Index flap = statics.free(beam.beam.last(), Component::z);
  const Index lag = statics.free(beam.beam.last(), Component::y);
  for (Index i = 0; i < statics.size(); ++i) {
    if (std::abs(modes.eigenvectors()(flap, i)) > std::abs(modes.eigenvectors()(lag, i))) {
      return std::sqrt(modes.eigenvalues()[i]);
    }
  }
  return 0.0;
}

TEST(BeamVibration, RotatingBeamStiffensAsPublished) {
  // Wright, Smith, Thresher and Wang (1982), J. Appl. Mech. 49, 197-202: uniform cantilever without hub, first flapwise
  // frequency over sqrt(EI/(rho A L^4)).
  const std::array<double, 6> speed = {0, 2, 4, 6, 8, 10};
  const std::array<double, 6> published = {3.5160, 4.1373, 5.5850, 7.3604, 9.2568, 11.2023};
  for (std::size_t i = 0; i < speed.size(); ++i) {
    const double found = extrapolated([&](int n) { return flapping(n, speed[i]); }, 10);
    EXPECT_NEAR(found, published[i], 1e-3 * published[i]) << speed[i];
  }
}

}  // namespace
}  // namespace picus::beam_vibration_test
