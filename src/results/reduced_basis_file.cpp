#include "fclib_reader.hpp"
#include "hdf5_file.hpp"
#include <picus/error.hpp>
#include <picus/reduced_basis_file.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace picus {

using results::FclibReader;
using results::Hdf5File;

namespace {

constexpr Index format_version = 2;  // format 1: without stiffening by forces
const std::string root = "reduced_basis/";

/// Calls action(name, matrix, rows, columns) for every matrix of fixed name; the same for reading and writing.
template <class Basis, class Action>
void for_each_matrix(Basis& basis, Index m, Action&& action) {
  action("first_moment", basis.first_moment, 3, 1);
  action("N", basis.N, 3, m);
  action("inertia", basis.inertia, 3, 3);
  action("inertia_1", basis.inertia_1, 6, m);
  for (std::size_t c = 0; c < 6; ++c) action(fmt::format("inertia_2_{}", c), basis.inertia_2[c], m, m);
  action("L", basis.L, 3, m);
  for (std::size_t a = 0; a < 3; ++a) action(fmt::format("L_1_{}", a), basis.L_1[a], m, m);
  action("modal_mass", basis.modal_mass, m, m);
  action("stiffness", basis.stiffness, m, m);
  action("damping", basis.damping, m, m);
}

void write_numbers(Hdf5File& file, const std::string& name, std::span<const double> values) {
  if (!values.empty()) file.write_array<double>(root + name, values);
}
void write_matrix(Hdf5File& file, const std::string& name, const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  const Eigen::MatrixXd copy = matrix;
  write_numbers(file, name, std::span(copy.data(), copy.size()));
}
void write_integer(Hdf5File& file, const std::string& name, Index value) {
  file.write_array<Index>(root + name, std::array{value});
}

void write_points(Hdf5File& file, const std::string& group, const std::vector<ReducedPoint>& points,
                  Index m) {
  const auto count = count_of(points);
  write_integer(file, group + "/count", count);
  std::string names;
  Vector kinds(count);
  Eigen::MatrixXd positions(3, count), axes(9, count), translations(3 * m, count), rotations(3 * m, count);
  rotations.setZero();
  for (Index i = 0; i < count; ++i) {
    const ReducedPoint& point = points[i];
    if (point.name.find('\n') != std::string::npos)
      throw ModelError(fmt::format("the name \"{}\" of a point has two lines", point.name));
    names += point.name + "\n";
    kinds[i] = point.kind == NodeKind::frame ? 6 : 3;
    positions.col(i) = point.position;
    axes.col(i) = point.axes.reshaped();
    translations.col(i) = point.translation.reshaped();
    if (point.kind == NodeKind::frame) rotations.col(i) = point.rotation.reshaped();
  }
  if (count == 0) return;
  file.write_text(root + group + "/names", names);
  write_matrix(file, group + "/components", kinds);
  write_matrix(file, group + "/positions", positions);
  write_matrix(file, group + "/axes", axes);
  write_matrix(file, group + "/translations", translations);
  write_matrix(file, group + "/rotations", rotations);
  for (Index i = 0; i < count; ++i) {
    const std::vector<Eigen::MatrixXd>& all = points[i].stiffening;
    if (all.empty() || m == 0) continue;
    Eigen::MatrixXd columns(m * m, count_of(all));
    for (Index c = 0; c < columns.cols(); ++c) columns.col(c) = all[c].reshaped();
    write_matrix(file, fmt::format("{}/stiffening_{}", group, i), columns);
  }
}

/// Files contain finite numbers; 0 stands for a quantity without a limit.
double stored_limit(double limit) {
  return std::isfinite(limit) ? limit : 0.0;
}
double limit_or_none(double stored) {
  return stored > 0 ? stored : std::numeric_limits<double>::infinity();
}

Vector read_numbers(const FclibReader& file, const std::string& name, Index count) {
  return count > 0 ? file.vector(root + name, count) : Vector(0);
}

std::vector<ReducedPoint> read_points(const FclibReader& file, const std::string& group, Index m) {
  const Index count = file.integer(root + group + "/count");
  if (count < 0) file.refuse(fmt::format("it has {} {}", count, group));
  if (count == 0) return {};
  const std::string names = file.text(root + group + "/names");
  const Vector kinds = read_numbers(file, group + "/components", count);
  const Vector positions = read_numbers(file, group + "/positions", 3 * count);
  const Vector axes = read_numbers(file, group + "/axes", 9 * count);
  const Vector translations = read_numbers(file, group + "/translations", 3 * m * count);
  const Vector rotations = read_numbers(file, group + "/rotations", 3 * m * count);
  std::vector<ReducedPoint> points;
  std::size_t begin = 0;
  for (Index i = 0; i < count; ++i) {
    const std::size_t end = names.find('\n', begin);
    if (end == std::string::npos) file.refuse(fmt::format("it has fewer than {} names of {}", count, group));
    ReducedPoint point{.name = names.substr(begin, end - begin),
                       .kind = kinds[i] == 6 ? NodeKind::frame : NodeKind::point,
                       .position = positions.segment<3>(3 * i),
                       .axes = axes.segment<9>(9 * i).reshaped(3, 3),
                       .translation = translations.segment(3 * m * i, 3 * m).reshaped(3, m)};
    if (point.kind == NodeKind::frame) point.rotation = rotations.segment(3 * m * i, 3 * m).reshaped(3, m);
    const std::string stiffening = fmt::format("{}/stiffening_{}", group, i);
    if (file.has(root + stiffening)) {
      const Index forces = point.kind == NodeKind::frame ? 6 : 3;
      const Vector all = read_numbers(file, stiffening, forces * m * m);
      for (Index c = 0; c < forces; ++c)
        point.stiffening.emplace_back(all.segment(c * m * m, m * m).reshaped(m, m));
    }
    points.push_back(std::move(point));
    begin = end + 1;
  }
  return points;
}

}  // namespace

ReducedBasis read_reduced_basis(const std::filesystem::path& path) {
  const FclibReader file(path);
  if (!file.has("reduced_basis")) file.refuse("it has no reduced basis");
  const Index format = file.integer(root + "format");
  if (format < 1 || format > format_version)
    file.refuse(
        fmt::format("its reduced basis has format {}, this version reads {}", format, format_version));
  const Index m = file.integer(root + "modes");
  if (m < 0 || m > 100'000) file.refuse(fmt::format("its reduced basis has {} modes", m));
  ReducedBasis basis;
  basis.name = file.text(root + "name");
  const Vector scalars = file.vector(root + "scalars", 3);
  basis.mass = scalars[0];
  basis.largest_spin = limit_or_none(scalars[1]);
  basis.accuracy.static_error = scalars[2];
  if (format >= 2) {
    const Vector loads = file.vector(root + "largest_load", 2);
    basis.largest_force = limit_or_none(loads[0]);
    basis.largest_moment = limit_or_none(loads[1]);
  }
  basis.has_spin_stiffening = file.integer(root + "has_spin_stiffening") != 0;
  for_each_matrix(basis, m, [&](const std::string& name, auto& matrix, Index rows, Index columns) {
    matrix = read_numbers(file, name, rows * columns).reshaped(rows, columns);
  });
  if (file.has(root + "accuracy/frequencies"))
    basis.accuracy.frequencies = file.vector(root + "accuracy/frequencies");
  if (file.has(root + "accuracy/full_frequencies"))
    basis.accuracy.full_frequencies = file.vector(root + "accuracy/full_frequencies");
  if (file.has(root + "accuracy/effective_masses"))
    basis.accuracy.effective_masses = read_numbers(file, "accuracy/effective_masses", 3 * m).reshaped(3, m);
  basis.interfaces = read_points(file, "interfaces", m);
  basis.nodes = read_points(file, "nodes", m);
  basis.check();
  return basis;
}

void write_reduced_basis(const std::filesystem::path& path, const ReducedBasis& basis, bool overwrite) {
  basis.check();
  const Index m = basis.mode_count();
  Hdf5File file(path, overwrite);
  write_integer(file, "format", format_version);
  write_integer(file, "modes", m);
  file.write_text(root + "name", basis.name);
  file.write_array<double>(root + "scalars", std::array{basis.mass, stored_limit(basis.largest_spin),
                                                        basis.accuracy.static_error});
  file.write_array<double>(root + "largest_load",
                           std::array{stored_limit(basis.largest_force), stored_limit(basis.largest_moment)});
  write_integer(file, "has_spin_stiffening", basis.has_spin_stiffening ? 1 : 0);
  for_each_matrix(basis, m,
                  [&](const std::string& name, const auto& matrix, Index /*rows*/, Index /*columns*/) {
                    write_matrix(file, name, matrix);
                  });
  write_matrix(file, "accuracy/frequencies", basis.accuracy.frequencies);
  write_matrix(file, "accuracy/full_frequencies", basis.accuracy.full_frequencies);
  write_matrix(file, "accuracy/effective_masses", basis.accuracy.effective_masses);
  write_points(file, "interfaces", basis.interfaces, m);
  write_points(file, "nodes", basis.nodes, m);
  file.close();
}

}  // namespace picus
