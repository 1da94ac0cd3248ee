#include <picus/error.hpp>
#include <picus/kkt_assembler.hpp>
#include <picus/solvers/integrators/force_acceleration.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

#include <fmt/format.h>

namespace picus::solvers {

void solve_force_acceleration(const System& system, const MassMatrix& mass, std::string_view scheme,
                              const Motion& motion, State& state) {
  KktAssembler kkt(system, mass, KktAssembler::Rows::bilateral);
  kkt.begin(mass);
  Vector massless = Vector::Zero(system.velocity_count());
  for (const Index dof : system.free_dofs()) massless[dof] = mass.diagonal(dof) > 0 ? 0.0 : 1.0;
  kkt.add_diagonal(massless);
  kkt.regularize(Vector::Ones(system.row_count()));  // its rows are decoupled
  const auto solver = make_linear_solver(LinearSolverKind::automatic, kkt.matrix());
  solver->analyze(kkt.matrix());
  if (!solver->factorize(kkt.matrix()))
    throw SolverError(
        fmt::format("scheme \"{}\": the mass matrix is singular where components have mass", scheme));
  const auto free_dofs = system.free_dofs();
  for (const Index dof : free_dofs) state.acceleration[dof] = 0.0;
  Vector f(system.velocity_count());
  mass.multiply(state.acceleration, f);
  f = -f;
  system.add_forces(motion, 1.0, f);
  Vector b = Vector::Zero(kkt.size());
  for (std::size_t i = 0; i < free_dofs.size(); ++i)
    b[i] = massless[free_dofs[i]] > 0 ? 0.0 : f[free_dofs[i]];
  solver->solve(std::span(b.data(), b.size()));
  for (std::size_t i = 0; i < free_dofs.size(); ++i) state.acceleration[free_dofs[i]] = b[i];
}

}  // namespace picus::solvers
