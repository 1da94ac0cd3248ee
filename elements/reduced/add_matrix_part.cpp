#include <picus/checks.hpp>
#include <picus/elements/reduced/add_matrix_part.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace picus {
namespace {

/// Largest asymmetry, relative to the largest entry.
constexpr double symmetry_tolerance = 1e-9;

using Row = MatrixPartOptions::Row;
/// Blocks of the matrices by pair of nodes, the one with the smaller index first.
using Blocks = std::map<std::pair<Index, Index>, std::array<Eigen::MatrixXd, 3>>;

using Entry = MatrixEntries::Entry;

bool precedes(const Entry& a, const Entry& b) {
  return a.row != b.row ? a.row < b.row : a.column < b.column;
}

/// Sorts the entries and adds up those at the same position.
std::vector<Entry> summed(std::vector<Entry> entries) {
  std::stable_sort(entries.begin(), entries.end(), precedes);
  std::vector<Entry> result;
  for (const Entry& one : entries) {
    if (!result.empty() && result.back().row == one.row && result.back().column == one.column) {
      result.back().value += one.value;
    } else {
      result.push_back(one);
    }
  }
  return result;
}

constexpr std::array<std::string_view, 3> matrix_names = {"mass", "stiffness", "damping"};

/// The rows of a part, checked.
class Layout {
 public:
  explicit Layout(const MatrixPartOptions& o)
      : options_(o), who_{"part", o.name}, rows_(o.rows), kinds_(o.nodes.size(), NodeKind::point) {
    if (o.nodes.empty()) fail("it has no nodes");
    if (rows_.empty()) number_rows();
    std::vector<std::array<bool, 6>> has(o.nodes.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto [node, component] = rows_[i];
      if (node < 0 || node >= count_of(o.nodes))
        fail(fmt::format("row {} belongs to node {}, but there are {} nodes", i + 1, node + 1,
                         o.nodes.size()));
      if (component == Component::s) fail(fmt::format("row {} is a scalar component", i + 1));
      bool& is_known = has[node][place_of(component)];
      if (is_known) {
        fail(fmt::format("component {} of node \"{}\" has two rows, the second is row {}",
                         static_cast<int>(component) + 1, o.nodes[node].name, i + 1));
      }
      is_known = true;
      if (component >= Component::rx) kinds_[node] = NodeKind::frame;
    }
    for (Index n = 0; n < count_of(has); ++n) {
      for (Index c = 0; c < velocity_size(kinds_[n]); ++c) {
        if (!has[n][c]) fixed_.push_back({n, static_cast<Component>(c)});
      }
    }
  }

  const std::vector<Row>& rows() const { return rows_; }
  NodeKind kind(Index node) const { return kinds_[node]; }
  /// Components without a row.
  const std::vector<Row>& fixed() const { return fixed_; }

  /// Adds the entries of matrix k to the blocks.
  void add(std::size_t k, const MatrixEntries& matrix, Blocks& blocks) const {
    const std::string_view what = matrix_names[k];
    const Index size = count_of(rows_);
    if (matrix.rows != size || matrix.columns != size) {
      fail(fmt::format("{} is {} x {}, but the nodes have {} rows", what, matrix.rows, matrix.columns, size));
    }
    for (const auto& [row, column, value] : matrix.entries) {
      if (row < 0 || row >= size || column < 0 || column >= size)
        fail(fmt::format("{} has an entry ({}, {}), but {} rows", what, row + 1, column + 1, size));
      if (!std::isfinite(value)) fail(fmt::format("{}({}, {}) is not finite", what, row + 1, column + 1));
    }
    const std::vector<Entry> sums = summed(matrix.entries);
    double largest = 0;
    for (const Entry& entry : sums) largest = std::max(largest, std::abs(entry.value));
    for (const auto& [row, column, value] : sums) {
      if (row == column && value < 0) fail(fmt::format("{}({}, {}) is {}", what, row + 1, column + 1, value));
      const auto mirror = std::lower_bound(sums.begin(), sums.end(), Entry{column, row, 0.0}, precedes);
      const bool has_mirror = mirror != sums.end() && mirror->row == column && mirror->column == row;
      const double other = has_mirror ? mirror->value : 0.0;
      if (std::abs(value - other) > symmetry_tolerance * largest) {
        fail(fmt::format("{} is not symmetric: ({}, {}) is {}, ({}, {}) is {}", what, row + 1, column + 1,
                         value, column + 1, row + 1, other));
      }
      if (rows_[row].node > rows_[column].node || value == 0) continue;
      Eigen::MatrixXd& block = blocks[{rows_[row].node, rows_[column].node}][k];
      if (block.size() == 0) {
        block = Eigen::MatrixXd::Zero(velocity_size(kinds_[rows_[row].node]),
                                      velocity_size(kinds_[rows_[column].node]));
      }
      block(place_of(rows_[row].component), place_of(rows_[column].component)) = value;
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw ModelError(fmt::format("{}: {}", who_.text(), what));
  }

 private:
  void number_rows() {
    const std::size_t nodes = options_.nodes.size();
    const auto size = static_cast<std::size_t>(std::max<Index>(options_.stiffness.rows, 0));
    if (size != 3 * nodes && size != 6 * nodes) {
      fail(
          fmt::format("stiffness has {} rows for {} nodes, must have three or six for each, or `rows` must "
                      "be given",
                      size, nodes));
    }
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t each = size / nodes;
      rows_.push_back({static_cast<Index>(i / each), static_cast<Component>(i % each)});
    }
  }

  const MatrixPartOptions& options_;
  Culprit who_;
  std::vector<Row> rows_;
  std::vector<NodeKind> kinds_;
  std::vector<Row> fixed_;
};

void check_nodes(const Model& model, const MatrixPartOptions& options, const Layout& layout) {
  std::vector<std::string_view> names;
  for (const Node& node : model.nodes()) names.push_back(model.node_name(node));
  for (const auto& node : options.nodes) {
    if (!node.position.allFinite()) layout.fail(fmt::format("node \"{}\" has no finite position", node.name));
    names.push_back(node.name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) layout.fail(fmt::format("two nodes are called \"{}\"", *twice));
}

}  // namespace

Node MatrixPart::node(std::string_view name) const {
  const auto found =
      std::lower_bound(by_name.begin(), by_name.end(), name,
                       [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
  if (found == by_name.end() || found->first != name)
    throw ModelError(fmt::format("the part has no node \"{}\"", name));
  return found->second;
}

MatrixPart add_matrix_part(Model& model, const MatrixPartOptions& options) {
  const Layout layout(options);
  check_nodes(model, options, layout);
  Blocks blocks;
  layout.add(0, options.mass, blocks);
  layout.add(1, options.stiffness, blocks);
  if (!options.damping.entries.empty()) layout.add(2, options.damping, blocks);

  MatrixPart part;
  for (Index n = 0; n < count_of(options.nodes); ++n) {
    const auto& [name, position] = options.nodes[n];
    part.nodes.push_back(layout.kind(n) == NodeKind::frame
                             ? Node(model.add_frame(name, {.position = position}))
                             : Node(model.add_point(name, {.position = position})));
    part.by_name.emplace_back(name, part.nodes.back());
  }
  std::sort(part.by_name.begin(), part.by_name.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [node, component] : layout.fixed()) model.fix(part.nodes[node], {component});
  Index number = 0;
  for (auto& [pair, matrices] : blocks) {
    auto& [mass, stiffness, damping] = matrices;
    model.add<MatrixCoupling>({.name = fmt::format("{}[{}]", options.name, number++),
                               .a = part.nodes[pair.first],
                               .b = part.nodes[pair.second],
                               .mass = std::move(mass),
                               .stiffness = std::move(stiffness),
                               .damping = std::move(damping)});
  }
  return part;
}

}  // namespace picus
