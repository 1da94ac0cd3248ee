#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/elements/reduced/reduced_picture.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

namespace picus::reduced_picture_test {
namespace {

using support::message_of;

/// A rod of two beams and a block of two cells, 0.1 m apart.
struct Part {
  Model model{"part"};
  Solid block;
};

Part make_part() {
  Model model("part");
  make_beam(model, {.name = "rod",
                    .section = Section::rectangle(0.02, 0.03, {.E = 1e9, .nu = 0.3, .density = 1000}),
                    .to = Vec3(1, 0, 0),
                    .elements = 2});
  Solid block = add_solid(
      model, make_box_mesh({.size = {0.2, 0.1, 0.1}, .divisions = {2, 1, 1}, .origin = {1.1, 0, 0}}),
      {.name = "block", .material = {.youngs_modulus = 1e9, .poissons_ratio = 0.3, .density = 1000}});
  return {std::move(model), std::move(block)};
}

/// Random shapes of all nodes; the frame at (0.3, 0, 0) of the part's coordinates.
std::shared_ptr<const ReducedBasis> basis_of(const Model& part, Index modes) {
  support::Random random(3);
  ReducedShapes data;
  data.name = "part";
  for (const Node& node : part.nodes()) {
    ReducedPoint point{.name = part.node_name(node),
                       .kind = node.kind,
                       .position = part.initial_configuration().position(node) - Vec3(0.3, 0, 0),
                       .translation = random.matrix(3, modes)};
    if (node.kind == NodeKind::frame) {
      point.axes = part.initial_configuration().rotation(node);
      point.rotation = random.matrix(3, modes);
    }
    data.first_row.push_back(data.size);
    data.size += velocity_size(node.kind);
    data.nodes.push_back(point);
  }
  for (Index i = 0; i < data.size; ++i) data.mass.push_back({i, i, 1.0});
  ReducedBasis basis = make_reduced_basis(data);
  basis.stiffness = Eigen::MatrixXd::Identity(modes, modes);
  return std::make_shared<const ReducedBasis>(basis);
}

TEST(ReducedPicture, DrawsThePartWithItsFrame) {
  const Part part = make_part();
  Model model("m");
  support::Random random(5);
  const Vec3 x = random.vec3();
  const Mat3 R = random.rotation();
  const Vector eta = random.vector(2);
  const auto faces = face_names(part.model, part.block.faces("z-"));
  ASSERT_EQ(faces.size(), 2U);
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "body",
                                                        .basis = basis_of(part.model, 2),
                                                        .position = x,
                                                        .rotation = R,
                                                        .coordinates = eta,
                                                        .surface = faces,
                                                        .part = &part.model});
  ASSERT_EQ(mesh.faces.size(), 2U);
  EXPECT_EQ(mesh.faces[0][0].index, mesh.point(faces[0][0]).index);
  const auto& picture = dynamic_cast<const ReducedPicture&>(model.find_element("body.picture"));
  std::size_t lines = 0, cells = 0;
  std::vector<MaterialPoint> drawn;
  for (const auto& [element, drawable] : part.model.drawables()) {
    lines += drawable->polylines().size();
    cells += drawable->hexahedra().size();
    for (const MaterialPoint& point : drawable->points()) drawn.push_back(point);
  }
  EXPECT_EQ(picture.polylines().size(), lines);
  EXPECT_EQ(picture.line_radii().size(), lines);
  EXPECT_EQ(picture.hexahedra().size(), cells);
  EXPECT_EQ(cells, 2U);
  EXPECT_TRUE(picture.triangles().empty());
  const std::vector<MaterialPoint> points = picture.points();
  ASSERT_EQ(points.size(), drawn.size());
  // All nodes are at their positions on the undeformed body, except those of the surface, which follow the deformation.
  const auto bottom = part.block.nodes("z-");
  int deformed = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 X = drawn[i].position(part.model.initial_configuration()) - Vec3(0.3, 0, 0);
    Vec3 expected = x + R * X;
    for (const PointNode& node : bottom) {
      if (node.index != drawn[i].node.index) continue;
      expected = mesh.body->position(mesh.body->basis()->point(part.model.node_name(node)),
                                     model.initial_configuration());
      ++deformed;
    }
    EXPECT_LT((points[i].position(model.initial_configuration()) - expected).norm(), 1e-14) << i;
  }
  EXPECT_GE(deformed, 6);
}

TEST(ReducedPicture, SaysWhatIsMissing) {
  const Part part = make_part();
  Model model("m");
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "body", .basis = basis_of(part.model, 1)});
  const auto refusal = [&](const ReducedPicture::Parameters& p) {
    return message_of<ModelError>([&] { model.add<ReducedPicture>(p); });
  };
  EXPECT_EQ(refusal({.name = "picture", .part = &part.model}), "reduced picture \"picture\": it has no body");
  EXPECT_EQ(refusal({.name = "picture", .body = &*mesh.body}), "reduced picture \"picture\": it has no part");
  Model other("other");
  make_beam(other, {.name = "pole",
                    .section = Section::rectangle(0.02, 0.03, {.E = 1e9, .nu = 0.3, .density = 1000}),
                    .to = Vec3(1, 0, 0),
                    .elements = 2});
  EXPECT_EQ(refusal({.name = "picture", .body = &*mesh.body, .part = &other}),
            "reduced picture \"picture\": the basis of \"body\" has no node \"pole[0]\", which \"other\" "
            "has: it was "
            "made of another part");
}

}  // namespace
}  // namespace picus::reduced_picture_test
