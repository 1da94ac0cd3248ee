/// The cost of user-defined functions compared with the library's own elements: a rod between two points (6 components)
/// or between points of two bodies (12), as DistanceJoint and as UserConstraint, per call.

#include <picus/elements/joints/distance_joint.hpp>
#include <picus/elements/joints/user_constraint.hpp>

#include <benchmark/benchmark.h>

#include <array>

namespace {

using namespace picus;

/// A rod, 0: DistanceJoint, 1: UserConstraint.
struct Rod {
  explicit Rod(const benchmark::State& state) : components(static_cast<Index>(state.range(1))) {
    const bool has_bodies = components == 12;
    const Vec3 offset(0.2, 0.5, -0.3);
    const MaterialPoint a =
        has_bodies ? MaterialPoint{model.add_frame("a"), offset} : MaterialPoint(model.add_point("a"));
    const MaterialPoint b = has_bodies ? MaterialPoint{model.add_frame("b", {.position = {1, 2, 3}}), offset}
                                       : MaterialPoint(model.add_point("b", {.position = {1, 2, 3}}));
    const double length = 3.7;
    if (state.range(0) == 0) {
      const auto joint = model.add<DistanceJoint>({.name = "rod", .a = a, .b = b, .length = length});
      constraint = &*joint;
    } else {
      const auto users =
          model.add<UserConstraint>({.name = "rod",
                                     .nodes = {model.find_node("a"), model.find_node("b")},
                                     .residual = [=](const Configuration& q, double, std::span<double> g) {
                                       const Vec3 d = b.position(q) - a.position(q);
                                       g[0] = (d.squaredNorm() - length * length) / (2 * length);
                                     }});
      constraint = &*users;
    }
  }

  Model model;
  Index components;
  const BilateralConstraint* constraint = nullptr;
};

void gradient(benchmark::State& state) {
  const Rod rod(state);
  std::array<double, 12> G{};
  for (auto _ : state) {
    rod.constraint->gradient(rod.model.initial_configuration(), 0.0, std::span(G.data(), rod.components));
    benchmark::DoNotOptimize(G.data());
  }
}

void geometric_stiffness(benchmark::State& state) {
  const Rod rod(state);
  const std::array<double, 1> lambda = {2.0};
  std::array<double, 144> K{};
  for (auto _ : state) {
    rod.constraint->geometric_stiffness(rod.model.initial_configuration(), 0.0, lambda,
                                        std::span(K.data(), rod.components * rod.components));
    benchmark::DoNotOptimize(K.data());
  }
}

void rate_jacobian(benchmark::State& state) {
  const Rod rod(state);
  const std::array<double, 12> v = {0.3, -0.2, 0.5, 1.1, -0.7, 0.4, -0.6, 0.8, 0.1, -0.9, 0.2, 1.3};
  std::array<double, 12> H{};
  for (auto _ : state) {
    rod.constraint->rate_jacobian(rod.model.initial_configuration(), 0.0, std::span(v.data(), rod.components),
                                  std::span(H.data(), rod.components));
    benchmark::DoNotOptimize(H.data());
  }
}

BENCHMARK(gradient)->ArgNames({"user", "components"})->ArgsProduct({{0, 1}, {6, 12}});
BENCHMARK(geometric_stiffness)->ArgNames({"user", "components"})->ArgsProduct({{0, 1}, {6, 12}});
BENCHMARK(rate_jacobian)->ArgNames({"user", "components"})->ArgsProduct({{0, 1}, {6, 12}});

}  // namespace

BENCHMARK_MAIN();
