#include <picus/elements/reduced/add_matrix_part.hpp>
#include <picus/error.hpp>
#include <picus/system.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus::add_matrix_part_test {
namespace {

using support::message_of;

/// Every entry on and beside the diagonal, symmetric.
MatrixEntries band(Index size, double scale) {
  MatrixEntries matrix{.rows = size, .columns = size};
  for (Index i = 0; i < size; ++i) {
    matrix.entries.push_back({i, i, scale * 4});
    if (i > 0) {
      matrix.entries.push_back({i, i - 1, -scale});
      matrix.entries.push_back({i - 1, i, -scale});
    }
  }
  return matrix;
}

MatrixPartOptions two_points() {
  return {.name = "part",
          .nodes = {{"1", Vec3(0, 0, 0)}, {"2", Vec3(1, 0, 0)}},
          .stiffness = band(6, 1.0),
          .mass = band(6, 2.0)};
}

TEST(AddMatrixPart, MakesNodesAndCouplings) {
  Model model("m");
  const MatrixPart part = add_matrix_part(model, two_points());
  ASSERT_EQ(part.nodes.size(), 2U);
  EXPECT_EQ(part.nodes[0].kind, NodeKind::point);
  EXPECT_EQ(part.node("2"), part.nodes[1]);
  EXPECT_EQ(model.elements().size(), 3U) << "two nodes and the pair";
  EXPECT_EQ(message_of<ModelError>([&] { part.node("3"); }), "the part has no node \"3\"");
}

TEST(AddMatrixPart, FixesComponentsWithoutARow) {
  Model model("m");
  MatrixPartOptions options = two_points();
  options.rows = {{1, Component::x}, {0, Component::y}, {1, Component::rz}};
  options.stiffness = options.mass = band(3, 1.0);
  options.damping = band(3, 0.1);
  const MatrixPart part = add_matrix_part(model, options);
  EXPECT_EQ(part.nodes[0].kind, NodeKind::point);
  EXPECT_EQ(part.nodes[1].kind, NodeKind::frame);
  const System system(model);
  EXPECT_EQ(count_of(system.free_dofs()), 3);
  EXPECT_GE(system.free_index()[part.nodes[0].v + 1], 0);
  EXPECT_GE(system.free_index()[part.nodes[1].v], 0);
  EXPECT_GE(system.free_index()[part.nodes[1].v + 5], 0);
}

TEST(AddMatrixPart, EntriesInOnePlaceAddUp) {
  Model model("m");
  MatrixPartOptions options = two_points();
  options.stiffness.entries.push_back({0, 0, 3.0});
  add_matrix_part(model, options);
  const auto& element = dynamic_cast<const MatrixCoupling&>(model.find_element("part[0]"));
  Configuration q = model.initial_configuration();
  q.position(element.nodes()[0])[0] += 1.0;
  EXPECT_EQ(element.potential_energy(q, 0.0), 0.5 * 7.0);
}

TEST(AddMatrixPart, RefusesMatricesThatAreNone) {
  const auto message = [&](const auto& change) {
    Model model("m");
    MatrixPartOptions options = two_points();
    change(options);
    return message_of<ModelError>([&] { add_matrix_part(model, options); });
  };
  EXPECT_EQ(message([](auto& o) { o.nodes.clear(); }), "part \"part\": it has no nodes");
  EXPECT_EQ(message([](auto& o) { o.nodes.push_back({"3"}); }),
            "part \"part\": stiffness has 6 rows for 3 nodes, must have three or six for each, or `rows` "
            "must be given");
  EXPECT_EQ(message([](auto& o) { o.nodes[1].name = "1"; }), "part \"part\": two nodes are called \"1\"");
  EXPECT_EQ(message([](auto& o) { o.nodes[1].position[1] = std::numeric_limits<double>::infinity(); }),
            "part \"part\": node \"2\" has no finite position");
  EXPECT_EQ(message([](auto& o) { o.mass = band(5, 1.0); }),
            "part \"part\": mass is 5 x 5, but the nodes have 6 rows");
  EXPECT_EQ(message([](auto& o) { o.mass.entries[0].column = 6; }),
            "part \"part\": mass has an entry (1, 7), but 6 rows");
  EXPECT_EQ(message([](auto& o) { o.mass.entries[0].value = std::numeric_limits<double>::quiet_NaN(); }),
            "part \"part\": mass(1, 1) is not finite");
  EXPECT_EQ(message([](auto& o) { o.mass.entries[0].value = -1; }), "part \"part\": mass(1, 1) is -1");
  EXPECT_EQ(message([](auto& o) { o.stiffness.entries[2].value = 0; }),
            "part \"part\": stiffness is not symmetric: (1, 2) is -1, (2, 1) is 0");
  EXPECT_EQ(message([](auto& o) { o.stiffness.entries.pop_back(); }),
            "part \"part\": stiffness is not symmetric: (6, 5) is -1, (5, 6) is 0");
  EXPECT_EQ(message([](auto& o) {
              o.rows = {{2, Component::x}};
            }),
            "part \"part\": row 1 belongs to node 3, but there are 2 nodes");
  EXPECT_EQ(message([](auto& o) {
              o.rows = {{0, Component::s}};
            }),
            "part \"part\": row 1 is a scalar component");
  EXPECT_EQ(message([](auto& o) {
              o.rows = {{0, Component::x}, {0, Component::x}};
            }),
            "part \"part\": component 1 of node \"1\" has two rows, the second is row 2");
}

}  // namespace
}  // namespace picus::add_matrix_part_test
