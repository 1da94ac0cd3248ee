#pragma once

/// Frictional contact problems in the format of FCLIB, the collection of such problems by which solvers are compared (Acary and others,
/// "FCLIB: a collection of discrete 3D frictional contact problems", 2014): to find impulses r and rates u with
///
///     u = W r + q,   r in K,   u + mu |u_T| e_N in K*,   one normal to the other,   K = {|r_T| <= mu r_N},
///
/// for each contact, whose rows are its normal one and then the tangential ones. solvers/analyses/step_contacts.hpp makes them of a step.

#include <picus/sparse_matrix.hpp>
#include <picus/types.hpp>

#include <filesystem>
#include <string>

namespace picus {

/// A problem in local form, with the matrix W of the contacts alone.
struct FrictionProblem {
  Index dimension = 3;      ///< rows of a contact, 2 or 3
  SparseMatrix W;           ///< by columns; with unsymmetric values too
  Vector q;                 ///< rates without impulses
  Vector mu;                ///< of each contact
  Vector r;                 ///< a solution or a guess to be written with it; empty: none
  std::string title;        ///< a few words, in the file
  std::string description;  ///< more of them, in the file
};

/// Reads a problem. One in global form, M v = H r + f and u = H^T v + w, is condensed: W = H^T M^-1 H, q = H^T M^-1 f + w. r is the
/// solution in the file, empty if there is none. Throws FileError `cannot read file "x.hdf5": REASON` for what is no such file or
/// has bilateral constraints beside the contacts.
FrictionProblem read_friction_problem(const std::filesystem::path& path);

/// Writes it in local form, W compressed by rows; with r as solution, and the u that belongs to it. Throws FileError.
void write_friction_problem(const std::filesystem::path& path, const FrictionProblem& problem,
                            bool overwrite);

}  // namespace picus
