/// Times of one evaluation of the elements of a reduced body over its number of shapes, and of the hexahedron for
/// comparison.

#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/elements/reduced/matrix_coupling.hpp>
#include <picus/elements/solids/hexahedron.hpp>
#include <picus/elements/solids/hexahedron_shape.hpp>
#include <picus/solvers/analyses/reduction.hpp>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <vector>

namespace {

using namespace picus;

/// A reduced rod with two interfaces and the given number of shapes, six of them static.
struct Body {
  explicit Body(Index shapes) {
    Model part("rod");
    const BeamMesh rod =
        make_beam(part, {.name = "rod",
                         .section = Section::rectangle(0.02, 0.03, {.E = 2e9, .nu = 0.3, .density = 1500}),
                         .to = Vec3(1, 0, 0),
                         .elements = 40});
    basis = std::make_shared<const ReducedBasis>(reduce(
        part,
        {.interfaces = {{.name = "root", .nodes = {rod.first()}}, {.name = "tip", .nodes = {rod.last()}}},
         .modes = static_cast<int>(shapes) - 6}));
    add_reduced_body(model, {.name = "rod",
                             .basis = basis,
                             .angular_velocity = {1, 2, 3},
                             .coordinates = Vector::Constant(basis->mode_count(), 1e-4)});
    v = Vector::Constant(model.velocity_count(), 0.1);
  }

  std::shared_ptr<const ReducedBasis> basis;
  Model model;
  Vector v;
  std::vector<double> f = std::vector<double>(max_local_dofs);
  std::vector<double> K = std::vector<double>(max_local_dofs * max_local_dofs);
  std::vector<double> C = std::vector<double>(max_local_dofs * max_local_dofs);
};

void force(benchmark::State& state) {
  Body body(static_cast<Index>(state.range(0)));
  const auto& [element, role] = body.model.forces().front();
  for (auto _ : state) {
    role->force({body.model.initial_configuration(), body.v, 0.0},
                std::span(body.f).first(element->dof_count()));
    benchmark::DoNotOptimize(body.f.data());
  }
}

void tangents(benchmark::State& state) {
  Body body(static_cast<Index>(state.range(0)));
  const auto& [element, role] = body.model.forces().front();
  const std::size_t n = element->dof_count();
  for (auto _ : state) {
    role->tangents({body.model.initial_configuration(), body.v, 0.0}, std::span(body.K).first(n * n),
                   std::span(body.C).first(n * n));
    benchmark::DoNotOptimize(body.K.data());
  }
}

void mass(benchmark::State& state) {
  Body body(static_cast<Index>(state.range(0)));
  const auto& [element, role] = body.model.inertias().front();
  const std::size_t n = element->dof_count();
  for (auto _ : state) {
    role->mass(body.model.initial_configuration(), std::span(body.K).first(n * n));
    benchmark::DoNotOptimize(body.K.data());
  }
}

void attachment_gradient(benchmark::State& state) {
  Body body(static_cast<Index>(state.range(0)));
  const auto& [element, role] = body.model.constraints().front();
  const std::size_t n = element->dof_count(), rows = role->row_count();
  for (auto _ : state) {
    role->gradient(body.model.initial_configuration(), 0.0, std::span(body.K).first(rows * n));
    benchmark::DoNotOptimize(body.K.data());
  }
}

void shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("shapes")->Arg(7)->Arg(10)->Arg(15)->Arg(30)->Arg(60);
}
BENCHMARK(force)->Apply(shapes);
BENCHMARK(tangents)->Apply(shapes);
BENCHMARK(mass)->Apply(shapes);
BENCHMARK(attachment_gradient)->Apply(shapes);

/// One hexahedron with the mechanics of a solid of small strains.
struct Cube {
  explicit Cube(bool enhanced) {
    std::array<PointNode, 8> nodes;
    for (std::size_t a = 0; a < 8; ++a)
      nodes[a] = model.add_point(fmt::format("node {}", a), {.position = solids::corner(a)});
    model.add<Hexahedron>(
        {.name = "cube",
         .nodes = nodes,
         .material = {.youngs_modulus = 1.0, .poissons_ratio = 0.3, .density = 1.0},
         .formulation = enhanced ? HexahedronFormulation::enhanced : HexahedronFormulation::full});
    q = model.initial_configuration();
    v = Vector::Random(model.velocity_count());
    retract(model.nodes(), q, 0.05 * v, q);
  }
  Model model;
  Configuration q;
  Vector v;
};

void hexahedron_force(benchmark::State& state) {
  const Cube cube(state.range(0) == 1);
  std::array<double, 24> f{};
  for (auto _ : state) {
    cube.model.forces().front().role->force({cube.q, cube.v, 0.0}, f);
    benchmark::DoNotOptimize(f.data());
  }
}

void hexahedron_tangents(benchmark::State& state) {
  const Cube cube(state.range(0) == 1);
  std::array<double, 576> K{}, C{};
  for (auto _ : state) {
    cube.model.forces().front().role->tangents({cube.q, cube.v, 0.0}, K, C);
    benchmark::DoNotOptimize(K.data());
  }
}
BENCHMARK(hexahedron_force)->ArgName("enhanced")->Arg(0)->Arg(1);
BENCHMARK(hexahedron_tangents)->ArgName("enhanced")->Arg(0)->Arg(1);

void matrix_coupling_force(benchmark::State& state) {
  Model model("matrices");
  const FrameNode a = model.add_frame("a"), b = model.add_frame("b");
  const Eigen::MatrixXd block = Eigen::MatrixXd::Random(6, 6);
  const auto coupling = model.add<MatrixCoupling>({.name = "ab", .a = a, .b = b, .stiffness = block});
  const Vector v = Vector::Zero(model.velocity_count());
  std::array<double, 12> f{};
  for (auto _ : state) {
    coupling->force({model.initial_configuration(), v, 0.0}, f);
    benchmark::DoNotOptimize(f.data());
  }
}
BENCHMARK(matrix_coupling_force);

}  // namespace

BENCHMARK_MAIN();
