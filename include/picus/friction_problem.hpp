#pragma once

/// Frictional contact problems in the format of FCLIB, the collection of such problems used to compare solvers (Acary
/// and others, "FCLIB: a collection of discrete 3D frictional contact problems", 2014): find impulses r and rates u
/// with
///
///     u = W r + q,   r in K,   u + mu |u_T| e_N in K*,   both orthogonal to each other,   K = {|r_T| <= mu r_N},
///
/// for each contact, whose rows are the normal one and then the tangential ones. solvers/analyses/step_contacts.hpp
/// creates such problems from a step.

#include <picus/sparse_matrix.hpp>
#include <picus/types.hpp>

#include <filesystem>
#include <string>

namespace picus {

/// A problem in local form, with the Delassus matrix W.
struct FrictionProblem {
  Index dimension = 3;      ///< rows of a contact, 2 or 3
  SparseMatrix W;           ///< compressed by columns; may be unsymmetric
  Vector q;                 ///< rates without impulses
  Vector mu;                ///< friction coefficient of each contact
  Vector r;                 ///< a solution or an initial guess; empty: none
  std::string title;        ///< short, stored in the file
  std::string description;  ///< longer, stored in the file
};

/// Reads a problem. One in global form, M v = H r + f and u = H^T v + w, is condensed: W = H^T M^-1 H, q = H^T M^-1
/// f + w. r is the solution in the file, empty if there is none. Throws FileError `cannot read file "x.hdf5": REASON`
/// for a file of another format or one with bilateral constraints beside the contacts.
FrictionProblem read_friction_problem(const std::filesystem::path& path);

/// Writes a problem in local form, W compressed by rows; with r as solution, and the corresponding u. Throws FileError.
void write_friction_problem(const std::filesystem::path& path, const FrictionProblem& problem,
                            bool overwrite);

}  // namespace picus
