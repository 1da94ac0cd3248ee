// Structures given by matrices: textbook matrices against closed forms, and matrices of a Picus model, written to files
// and read again, against the model itself.

#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/elements/reduced/part_tables.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/picus.hpp>
#include <picus/solvers/analyses/matrix_market.hpp>
#include <picus/solvers/analyses/modal_problem.hpp>
#include <picus/solvers/analyses/reduction.hpp>
#include <support/message.hpp>
#include <support/scratch_folder.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace picus::matrix_part_test {
namespace {

using support::message_of;

/// A rod of steel along x, 1 m long, 20 x 10 mm: the matrices of a slender beam with Hermite's polynomials
/// [Przemieniecki 1968, sections 5.6 and 11.4], for 6 components per node.
struct Rod {
  static constexpr double E = 2.1e11, G = 8.1e10, density = 7800, length = 1.0, width = 0.02, height = 0.01;
  static constexpr double A = width * height;
  static constexpr double I_y = width * height * height * height / 12;  ///< bending along z
  static constexpr double I_z = height * width * width * width / 12;

  static MatrixPartOptions part(Index elements) {
    MatrixPartOptions o{.name = "rod", .nodes = {}, .stiffness = {}, .mass = {}};
    const Index size = 6 * (elements + 1);
    o.stiffness.rows = o.stiffness.columns = o.mass.rows = o.mass.columns = size;
    const double l = length / elements;
    for (Index n = 0; n <= elements; ++n) o.nodes.push_back({std::to_string(n), Vec3(l * n, 0, 0)});
    for (Index e = 0; e < elements; ++e) {
      add_bar(o, e, 0, E * A / l, density * A * l);
      add_bar(o, e, 3, G * (I_y + I_z) * 0.5 / l, density * (I_y + I_z) * l);
      add_bending(o, e, 1, 5, 1.0, E * I_z, l);
      add_bending(o, e, 2, 4, -1.0, E * I_y, l);
    }
    return o;
  }

  static void add(MatrixPartOptions& o, Index i, Index j, double k, double m) {
    o.stiffness.entries.push_back({i, j, k});
    o.mass.entries.push_back({i, j, m});
  }
  static void add_bar(MatrixPartOptions& o, Index e, Index component, double k, double m) {
    const Index a = 6 * e + component, b = a + 6;
    add(o, a, a, k, m / 3);
    add(o, b, b, k, m / 3);
    add(o, a, b, -k, m / 6);
    add(o, b, a, -k, m / 6);
  }
  /// Displacement w and rotation +-w'.
  static void add_bending(MatrixPartOptions& o, Index e, Index w, Index turn, double sign, double EI,
                          double l) {
    const std::array<Index, 4> at = {6 * e + w, 6 * e + turn, 6 * e + 6 + w, 6 * e + 6 + turn};
    const double s = sign * l, ss = l * l;
    const double K[4][4] = {{12, 6 * s, -12, 6 * s},
                            {6 * s, 4 * ss, -6 * s, 2 * ss},
                            {-12, -6 * s, 12, -6 * s},
                            {6 * s, 2 * ss, -6 * s, 4 * ss}};
    const double M[4][4] = {{156, 22 * s, 54, -13 * s},
                            {22 * s, 4 * ss, 13 * s, -3 * ss},
                            {54, 13 * s, 156, -22 * s},
                            {-13 * s, -3 * ss, -22 * s, 4 * ss}};
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j)
        add(o, at[i], at[j], EI / (l * l * l) * K[i][j], density * A * l / 420 * M[i][j]);
    }
  }
  /// Frequency of a rod, Hz: (beta L)^2 = 3.516015, 22.03449 if clamped at one end; 22.37329, 61.67282 if free.
  static double bending(double beta_squared, double I) {
    return beta_squared * std::sqrt(E * I / (density * A)) / (length * length) / (2 * pi);
  }
};

TEST(MatrixPart, ATextbookRodVibratesAsInTheTextbook) {
  Model part("rod");
  const MatrixPart rod = add_matrix_part(part, Rod::part(20));
  const ReducedBasis free = reduce(part, {.modes = 4});
  const std::array<double, 4> expected = {Rod::bending(22.37329, Rod::I_y), Rod::bending(22.37329, Rod::I_z),
                                          Rod::bending(61.67282, Rod::I_y), Rod::bending(120.9034, Rod::I_y)};
  for (std::size_t k = 0; k < 4; ++k) {
    // Hermite's elements are of fourth order, w^2 (1 + (beta l)^4 / 720); the digits of the roots are 1e-7.
    const double root = expected[k] / Rod::bending(1.0, k == 1 ? Rod::I_z : Rod::I_y);  // (beta L)^2
    EXPECT_NEAR(free.accuracy.frequencies[k], expected[k],
                (root * root / std::pow(20.0, 4) / 1440 + 1e-7) * expected[k])
        << k;
  }
  EXPECT_NEAR(free.mass, Rod::density * Rod::A * Rod::length, 1e-12);

  const ReducedBasis at_end = reduce(part, {.interfaces = {{.name = "root", .nodes = {rod.node("0")}},
                                                           {.name = "tip", .nodes = {rod.node("20")}}},
                                            .modes = 4,
                                            .frame = "root"});
  EXPECT_NEAR(at_end.accuracy.full_frequencies[0], Rod::bending(3.516015, Rod::I_y),
              2e-5 * at_end.accuracy.full_frequencies[0]);
  EXPECT_LT(at_end.accuracy.static_error, 1e-10);
  // A force at the tip: L^3 / (3 E I), exact for these elements.
  double deflection = 0;
  const ReducedPoint& tip = at_end.point("tip");
  for (Index k = 0; k < at_end.mode_count(); ++k)
    deflection += std::pow(tip.translation(2, k), 2) / at_end.stiffness(k, k);
  EXPECT_NEAR(deflection * 3 * Rod::E * Rod::I_y, 1.0, 1e-9);
}

/// Matrices do not contain the stiffening by stresses: the body has none, and therefore a limit of its spin.
TEST(MatrixPart, HasALimitOfItsSpin) {
  Model part("rod");
  add_matrix_part(part, Rod::part(8));
  const ReducedBasis basis = reduce(part, {.modes = 3});
  EXPECT_FALSE(basis.has_spin_stiffening);
  EXPECT_NEAR(basis.largest_spin, 0.1 * 2 * pi * basis.accuracy.frequencies[0], 1e-9 * basis.largest_spin);
}

void write_matrix(const std::filesystem::path& path, Index size, const auto& entries) {
  std::ofstream file(path);
  file.precision(17);
  file << "%%MatrixMarket matrix coordinate real symmetric\n% of a block\n"
       << size << " " << size << " " << entries.size() << "\n";
  for (const auto& [row, column, value] : entries)
    file << std::max(row, column) + 1 << " " << std::min(row, column) + 1 << " " << value << "\n";
}

/// A block of solids, its matrices written as another program would, and read.
TEST(MatrixPart, OfFilesIsTheModelThatWroteThem) {
  Model block("block");
  const Solid solid = add_solid(
      block, make_box_mesh({.size = {0.4, 0.1, 0.08}, .divisions = {6, 2, 2}}),
      {.name = "block", .material = {.youngs_modulus = 7e10, .poissons_ratio = 0.3, .density = 2700}});
  ReductionOptions options = {.modes = 5, .frame = "x-"};
  for (const std::string side : {"x-", "x+"}) {
    const std::vector<PointNode> face = solid.nodes(side);
    options.interfaces.push_back({.name = side, .nodes = {face.begin(), face.end()}});
  }
  const ReducedBasis direct = reduce(block, options);

  const support::ScratchFolder folder;
  {
    const System system(block);
    MassMatrix mass(system);
    mass.assemble(block.initial_configuration());
    std::vector<MatrixEntries::Entry> M, K;
    const auto place = system.free_index();
    for (Index c = 0; c < mass.matrix().size; ++c) {
      for (Index k = mass.matrix().column_start[c]; k < mass.matrix().column_start[c + 1]; ++k) {
        const Index row = place[mass.matrix().row[k]], column = place[c];
        if (row >= column && column >= 0) M.push_back({row, column, mass.matrix().values[k]});
      }
    }
    State state;
    state.q = block.initial_configuration();
    state.v = state.acceleration = state.auxiliary = state.reaction = Vector::Zero(system.velocity_count());
    const solvers::ModalProblem problem(system, state, false, std::nullopt, LinearSolverKind::automatic);
    const SparseMatrix& stiffness = problem.stiffness();
    for (Index c = 0; c < problem.size(); ++c) {
      for (Index k = stiffness.column_start[c]; k < stiffness.column_start[c + 1]; ++k) {
        if (stiffness.row[k] >= c) K.push_back({stiffness.row[k], c, stiffness.values[k]});
      }
    }
    write_matrix(folder / "m.mtx", problem.size(), M);
    write_matrix(folder / "k.mtx", problem.size(), K);
    std::ofstream nodes(folder / "block.nodes"), rows(folder / "block.dof");
    nodes.precision(17);
    for (const Node& node : block.nodes())
      nodes << node.index + 100 << " " << block.initial_configuration().position(node).transpose() << "\n";
    for (const Index dof : system.free_dofs()) rows << dof / 3 + 100 << "." << dof % 3 + 1 << "\n";
  }

  Model model("block");
  const auto nodes = read_part_nodes(folder / "block.nodes");
  const MatrixPart part = add_matrix_part(model, {.name = "block",
                                                  .nodes = nodes,
                                                  .rows = read_part_rows(folder / "block.dof", nodes),
                                                  .stiffness = read_matrix_market(folder / "k.mtx"),
                                                  .mass = read_matrix_market(folder / "m.mtx")});
  ReductionOptions same = options;
  for (ReductionInterface& face : same.interfaces) {
    for (Node& node : face.nodes) node = part.node(std::to_string(node.index + 100));
  }
  const ReducedBasis read = reduce(model, same);
  ASSERT_EQ(read.mode_count(), direct.mode_count());
  // The errors of 17 digits and of another order of summation.
  for (Index k = 0; k < read.mode_count(); ++k)
    EXPECT_NEAR(read.accuracy.frequencies[k], direct.accuracy.frequencies[k],
                1e-9 * direct.accuracy.frequencies[k]);
  EXPECT_NEAR(read.mass, direct.mass, 1e-12 * direct.mass);
  EXPECT_LT((read.inertia - direct.inertia).norm(), 1e-12 * direct.inertia.norm());
  EXPECT_LT(read.accuracy.static_error, 1e-10);
}

TEST(MatrixMarket, ReadsBothTrianglesAndOneOnly) {
  const support::ScratchFolder folder;
  const auto read = [&](const std::string& text) {
    std::ofstream(folder / "a.mtx") << text;
    return read_matrix_market(folder / "a.mtx");
  };
  const MatrixEntries general =
      read("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2.5\n1 2 -1\n2 1 4\n");
  EXPECT_EQ(general.rows, 2);
  EXPECT_EQ(general.entries.size(), 3U);
  double sum = 0;
  for (const auto& entry : general.entries) sum += entry.value * (1 + entry.row + 10 * entry.column);
  EXPECT_EQ(sum, 2.5 - 11 + 8);
  const MatrixEntries symmetric =
      read("%%MatrixMarket MATRIX coordinate integer symmetric\n% a comment\n\n3 3 2\n2 1 7\n3 3 1\n");
  EXPECT_EQ(symmetric.rows, 3);
  ASSERT_EQ(symmetric.entries.size(), 3U);
  sum = 0;
  for (const auto& entry : symmetric.entries) sum += entry.value;
  EXPECT_EQ(sum, 15);
}

TEST(MatrixMarket, RefusesWhatIsNoRealMatrix) {
  const support::ScratchFolder folder;
  const auto message = [&](const std::string& text) {
    std::ofstream(folder / "a.mtx") << text;
    std::string result = message_of<FileError>([&] { read_matrix_market(folder / "a.mtx"); });
    const std::string place = (folder / "").string();
    if (const auto at = result.find(place); at != std::string::npos) result.erase(at, place.size());
    return result;
  };
  const std::string good = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(message(""), "cannot read file \"a.mtx\": it is empty or not readable");
  EXPECT_EQ(message("2 2 1\n1 1 1\n"),
            "cannot read file \"a.mtx\": its first line does not begin with %%MatrixMarket");
  EXPECT_EQ(message("%%MatrixMarket matrix array real general\n1 1\n1\n"),
            "cannot read file \"a.mtx\": it is not in coordinate format");
  EXPECT_EQ(message("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n"),
            "cannot read file \"a.mtx\": it holds no real or integer numbers");
  EXPECT_EQ(message("%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 1\n1 1 1\n"),
            "cannot read file \"a.mtx\": it is neither general nor symmetric");
  const auto line = [&](const std::string& text) {
    const std::string result = message(good + text);
    const std::string_view begin = "cannot read file \"a.mtx\": line ";
    return result.starts_with(begin) ? result.substr(begin.size()) : result;
  };
  EXPECT_EQ(line(""), "1: the numbers of rows, columns and entries are missing");
  EXPECT_EQ(line("2 2\n"), "2: three numbers of rows, columns and entries are expected");
  EXPECT_EQ(line("2 0 0\n"), "2: a matrix of 2 times 0 with 0 entries cannot be read");
  EXPECT_EQ(line("2 2 2\n1 1 1\n"), "3: the file ends after 1 of 2 entries");
  EXPECT_EQ(line("2 2 1\n1 1 1\n2 2 1\n"), "4: there are more than 1 entries");
  EXPECT_EQ(line("2 2 1\n% a remark\n1 3 1\n"), "4: column is 3, must lie in [1, 2]");
  EXPECT_EQ(line("2 2 1\n0 1 1\n"), "3: row is 0, must lie in [1, 2]");
  EXPECT_EQ(line("2 2 1\n1 x 1\n"), "3: \"x\" is no number");
  EXPECT_EQ(line("2 2 1\n1 1\n"), "3: a row, a column and a value are expected");
  EXPECT_EQ(message("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"),
            "cannot read file \"a.mtx\": line 2: a symmetric matrix must be square");
  EXPECT_EQ(message_of<FileError>([&] { read_matrix_market(folder / "none.mtx"); }).substr(0, 16),
            "cannot read file");
}

}  // namespace
}  // namespace picus::matrix_part_test
