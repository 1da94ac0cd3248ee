#include <picus/model.hpp>
#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/version.hpp>

#include <iostream>

int main() {
  picus::Model model("external");
  model.add_frame("body", {.position = {1.0, 2.0, 3.0}});

  const picus::SparseMatrix matrix{.size = 1, .column_start = {0, 1}, .row = {0}, .values = {4.0}};
  const auto solver = picus::make_linear_solver(picus::LinearSolverKind::automatic, matrix);
  solver->analyze(matrix);
  double x = 2.0;
  const bool solved = solver->factorize(matrix) && (solver->solve({&x, 1}), x == 0.5);
  std::cout << "picus " << picus::version << ": " << model.nodes().size() << " node, x = " << x << '\n';
  return solved ? 0 : 1;
}
