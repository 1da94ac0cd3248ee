#pragma once

/// The tangent of a nonlinear problem compared with differences of its residual, at the current iterate.

#include <picus/solvers/subproblems/subproblem.hpp>
#include <support/dense.hpp>
#include <support/differences.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace picus {

/// Number of times each contact state occurred among the iterates compared.
using SeenStates = std::array<int, 3>;

/// Returns false when a difference step crossed a kink of the contact conditions, where no derivative exists. `parts` are
/// the sub-problems that contain the contacts.
inline bool tangent_agrees(NonlinearProblem& problem, const std::vector<const Subproblem*>& parts,
                           const std::string& name, SeenStates& seen) {
  const auto states = [&] {
    std::vector<ContactState> all;
    for (const Subproblem* part : parts)
      all.insert(all.end(), part->contact_states().begin(), part->contact_states().end());
    return all;
  };
  Vector r(problem.size());
  problem.evaluate(r);
  const std::vector<ContactState> before = states();
  const Eigen::MatrixXd tangent = support::dense(problem.tangent());
  bool crossed = false;
  Eigen::MatrixXd differences(problem.size(), problem.size());
  for (Index i = 0; i < problem.size(); ++i) {
    const Vector e = Vector::Unit(problem.size(), i);
    differences.col(i) = support::derivative([&](double s) {
      problem.advance(e, s);
      problem.evaluate(r);
      crossed = crossed || states() != before;
      problem.advance(e, -s);
      return r;
    });
  }
  if (crossed) return false;
  for (const ContactState state : before) ++seen[place_of(state)];
  support::expect_near(tangent, differences, 1e-8, name);
  return true;
}

}  // namespace picus
