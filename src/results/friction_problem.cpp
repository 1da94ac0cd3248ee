#include "fclib_reader.hpp"
#include "hdf5_file.hpp"
#include <picus/friction_problem.hpp>

#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace picus {

using results::FclibReader;
using results::Hdf5File;
using results::SparseColumns;

namespace {

/// Limit of the number of products in W = H^T (M^-1 H); more would require some 10 GB.
constexpr double most_products = 1e9;
/// Relative rounding error up to which a matrix in a file counts as symmetric.
constexpr double least_asymmetry = 1e-9;

SparseMatrix compress(SparseColumns matrix) {
  matrix.makeCompressed();
  SparseMatrix result;
  const std::size_t entries = matrix.nonZeros();
  const std::size_t columns = matrix.cols();
  result.size = columns_of(matrix);
  result.column_start = std::vector<Index>(matrix.outerIndexPtr(), matrix.outerIndexPtr() + columns + 1);
  result.row = std::vector<Index>(matrix.innerIndexPtr(), matrix.innerIndexPtr() + entries);
  result.values.assign(matrix.valuePtr(), matrix.valuePtr() + entries);
  return result;
}

Eigen::Map<const SparseColumns> view(const SparseMatrix& matrix) {
  return {matrix.size,       matrix.size,         count_of(matrix.row), matrix.column_start.data(),
          matrix.row.data(), matrix.values.data()};
}

void refuse_constraints(const FclibReader& file, const std::string& name) {
  if (file.has(name))
    file.refuse(fmt::format("it has bilateral constraints ({}), which are not read here", name));
}

void read_contacts(const FclibReader& file, const std::string& form, FrictionProblem& problem) {
  problem.dimension = file.integer(form + "/spacedim");
  if (problem.dimension != 2 && problem.dimension != 3)
    file.refuse(fmt::format("{}/spacedim is {}, not 2 or 3", form, problem.dimension));
  problem.mu = file.vector(form + "/vectors/mu");
  if ((problem.mu.array() < 0).any()) file.refuse(fmt::format("{}/vectors/mu is negative", form));
  problem.title = file.text(form + "/info/title");
  problem.description = file.text(form + "/info/description");
}

/// Number of rows of all contacts, which must be the size of `vector`.
Index rows_of(const FclibReader& file, const FrictionProblem& problem, const Vector& vector,
              const std::string& name) {
  if (vector.size() != problem.dimension * problem.mu.size())
    file.refuse(fmt::format("its data set {} has {} numbers for {} contacts", name, vector.size(),
                            problem.mu.size()));
  return count_of(vector);
}

void read_local(const FclibReader& file, FrictionProblem& problem) {
  const std::string form = "fclib_local";
  for (const char* const name : {"/V", "/R"}) refuse_constraints(file, form + name);
  read_contacts(file, form, problem);
  problem.q = file.vector(form + "/vectors/q");
  const Index rows = rows_of(file, problem, problem.q, form + "/vectors/q");
  problem.W = compress(file.matrix(form + "/W", rows, rows));
}

void read_global(const FclibReader& file, FrictionProblem& problem) {
  const std::string form = "fclib_global";
  refuse_constraints(file, form + "/G");
  read_contacts(file, form, problem);
  const Vector w = file.vector(form + "/vectors/w");
  const Index rows = rows_of(file, problem, w, form + "/vectors/w");
  const Vector f = file.vector(form + "/vectors/f");
  const auto size = count_of(f);
  const SparseColumns M = file.matrix(form + "/M", size, size);
  const SparseColumns H = file.matrix(form + "/H", size, rows);
  const SparseColumns transposed = M.transpose();
  if ((M - transposed).norm() > least_asymmetry * M.norm())
    file.refuse(fmt::format("its matrix {}/M is not symmetric", form));
  Eigen::SimplicialLLT<SparseColumns> factors(M);
  if (factors.info() != Eigen::Success)
    file.refuse(fmt::format("its matrix {}/M is not positive definite", form));
  const SparseColumns motion = factors.solve(H);
  Eigen::Matrix<double, Eigen::Dynamic, 1> in_row = Vector::Zero(size);
  for (Index column = 0; column < rows; ++column) {
    for (SparseColumns::InnerIterator entry(H, column); entry; ++entry) in_row[entry.row()] += 1.0;
  }
  double products = 0.0;
  for (Index column = 0; column < rows; ++column) {
    for (SparseColumns::InnerIterator entry(motion, column); entry; ++entry) products += in_row[entry.row()];
  }
  if (products > most_products) file.refuse("its contacts are coupled too much to be condensed");
  problem.W = compress(H.transpose() * motion);
  problem.q = w + H.transpose() * factors.solve(f);
  const bool is_finite = problem.q.allFinite() && std::ranges::all_of(problem.W.values, [](double value) {
                           return std::isfinite(value);
                         });
  if (!is_finite) file.refuse(fmt::format("its matrix {}/M is too small", form));
}

}  // namespace

FrictionProblem read_friction_problem(const std::filesystem::path& path) {
  const FclibReader file(path);
  FrictionProblem problem;
  if (file.has("fclib_local"))
    read_local(file, problem);
  else if (file.has("fclib_global"))
    read_global(file, problem);
  else
    file.refuse("it has no problem of FCLIB's format (fclib_local or fclib_global)");
  // Files of the collection may have a data set for a solution without values.
  if (file.has_values("solution/r")) problem.r = file.vector("solution/r", count_of(problem.q));
  return problem;
}

void write_friction_problem(const std::filesystem::path& path, const FrictionProblem& problem,
                            bool overwrite) {
  Hdf5File file(path, overwrite);
  const auto write_integer = [&](const std::string& name, Index value) {
    file.write_array<Index>(name, std::array{value});
  };
  const auto write_vector = [&](const std::string& name, const Vector& values) {
    file.write_array<double>(name, std::span(values.data(), values.size()));
  };
  const auto W = view(problem.W);
  // Columns of the transposed matrix are its rows.
  const SparseMatrix rows = compress(SparseColumns(W.transpose()));
  write_integer("fclib_local/spacedim", problem.dimension);
  write_integer("fclib_local/W/m", rows.size);
  write_integer("fclib_local/W/n", rows.size);
  write_integer("fclib_local/W/nz", -2);
  write_integer("fclib_local/W/nzmax", count_of(rows.row));
  file.write_array<Index>("fclib_local/W/p", rows.column_start);
  file.write_array<Index>("fclib_local/W/i", rows.row);
  file.write_array<double>("fclib_local/W/x", rows.values);
  write_vector("fclib_local/vectors/q", problem.q);
  write_vector("fclib_local/vectors/mu", problem.mu);
  file.write_text("fclib_local/info/title", problem.title);
  file.write_text("fclib_local/info/description", problem.description);
  file.write_text("fclib_local/info/math_info", "");
  if (problem.r.size() > 0) {
    write_vector("solution/r", problem.r);
    write_vector("solution/u", Vector(W * problem.r + problem.q));
  }
  file.close();
}

}  // namespace picus
