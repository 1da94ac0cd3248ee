/// Bodies that start in each other, however deep, are refused by name; those that are just apart are not.

#include "surface_search.hpp"
#include <picus/elements/solids/solid.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace picus::deep_starts_test {
namespace {

using support::message_of;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

/// The same scene elsewhere, turned and of another size.
struct Frame {
  Mat3 Q = Mat3::Identity();
  Vec3 x = Vec3::Zero();
  double scale = 1.0;
  Vec3 at(const Vec3& point) const { return x + scale * (Q * point); }
};

std::vector<Frame> frames() {
  return {{},
          {so3::exp(Vec3(0.7, -1.1, 0.4)), Vec3(3, -2, 1), 1.0},
          {so3::exp(Vec3(-0.2, 0.5, 2.4)), Vec3(8, 5, 4), 30.0}};
}

/// A cube of size s with its centre at the origin.
shapes::Mesh cube_mesh(double s) {
  shapes::Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.emplace_back(s * ((i & 1) - 0.5), s * ((i >> 1 & 1) - 0.5), s * ((i >> 2 & 1) - 0.5));
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// A body whose lowest point is at z = 0 if its centre is at `centre`.
struct Body {
  std::string name;
  Shape shape;
  Mat3 R = Mat3::Identity();
  double centre = 0.2;
};

std::vector<Body> bodies(double s) {
  const Mat3 lying = so3::exp(Vec3(std::acos(0.0), 0, 0)), tilted = so3::exp(Vec3(0.5, 0, 0));
  const double of_tilted = 0.2 * std::cos(0.5) + 0.15 * std::sin(0.5);
  return {{"ball", shapes::Ball{s * 0.2}},
          {"box", shapes::Box{s * Vec3(0.4, 0.4, 0.4)}},
          {"capsule", shapes::Capsule{.length = s * 0.2, .radius = s * 0.1}},
          {"mesh", cube_mesh(s * 0.4)},
          {"cylinder", shapes::Cylinder{.length = s * 0.4, .radius = s * 0.15}},
          {"lying", shapes::Cylinder{.length = s * 0.4, .radius = s * 0.15}, lying, 0.15},
          {"tilted", shapes::Cylinder{.length = s * 0.4, .radius = s * 0.15}, tilted, of_tilted},
          {"cone", shapes::Cone{.length = s * 0.4, .bottom_radius = s * 0.15}}};
}

/// A cube of size 1 with its top at z = 0.
void add_block(Model& model, const std::string& kind, const Frame& frame) {
  const double s = frame.scale;
  const Vec3 centre = frame.at(Vec3(0, 0, -0.5));
  if (kind == "box")
    model.add<Surface>(
        {.name = "block", .of = shapes::Box{s * Vec3(1, 1, 1)}, .position = centre, .rotation = frame.Q});
  if (kind == "mesh")
    model.add<Surface>({.name = "block", .of = cube_mesh(s), .position = centre, .rotation = frame.Q});
  if (kind != "solid") return;
  auto mesh = make_box_mesh({.size = {1, 1, 1}, .divisions = {4, 4, 4}, .origin = {-0.5, -0.5, -1}});
  mesh.face_sets["all"] = mesh.boundary();
  for (Vec3& node : mesh.points) node = frame.at(node);
  const Solid block = add_solid(
      model, mesh,
      {.name = "block", .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.3, .density = 1e3}});
  model.add<Surface>({.name = "block", .of = shapes::Faces{block.faces("all")}});
}

/// The message of the search about a body at this depth in the block, relative to its size.
std::string told(const std::string& kind, const Frame& frame, const Body& body, double depth) {
  Model model("deep");
  add_block(model, kind, frame);
  const Vec3 centre(0.013, 0.021, body.centre - 0.4 * depth);
  const FrameNode node =
      model.add_frame("node", {.position = frame.at(centre), .rotation = frame.Q * body.R});
  model.add<Surface>({.name = body.name, .of = body.shape, .on = node});
  model.add<ContactsBetween>({.name = "all"});
  const auto search = model.contact_sets()[0].role->make_search(model, 0);
  return message_of<ModelError>([&] { search->check_start(model.initial_configuration()); });
}

class DeepStarts : public ::testing::TestWithParam<std::string> {};

TEST_P(DeepStarts, AreRefusedByName) {
  for (const Frame& frame : frames()) {
    for (const Body& body : bodies(frame.scale)) {
      for (const double depth : {0.01, 0.05, 0.15, 0.3, 0.45, 0.7, 1.0, 1.4, 1.9, 2.5}) {
        EXPECT_THAT(told(GetParam(), frame, body, depth),
                    AllOf(HasSubstr(body.name), HasSubstr("block"),
                          AnyOf(HasSubstr("deep in each other at the start"),
                                HasSubstr("is inside block at the start"))))
            << body.name << " " << depth << " deep, scale " << frame.scale;
      }
      EXPECT_EQ(told(GetParam(), frame, body, -0.01), "nothing was thrown")
          << body.name << ", scale " << frame.scale;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Blocks, DeepStarts, ::testing::Values("box", "mesh", "solid"));

// Closed surfaces need not be filled: a ball within a hollow body is outside of its material.
TEST(DeepStarts, AHollowBodyHoldsOthers) {
  Model model("hollow");
  shapes::Mesh hollow = cube_mesh(1.0);
  const shapes::Mesh inner = cube_mesh(0.8);
  for (const Vec3& point : inner.points) hollow.points.push_back(point);
  for (const auto& [i, j, k] : inner.triangles) hollow.triangles.push_back({i + 8, k + 8, j + 8});
  model.add<Surface>({.name = "case", .of = hollow});
  const FrameNode node = model.add_frame("node", {.position = {0.05, 0, 0.02}});
  model.add<Surface>({.name = "cylinder", .of = shapes::Cylinder{.length = 0.4, .radius = 0.15}, .on = node});
  model.add<ContactsBetween>({.name = "all"});
  const auto search = model.contact_sets()[0].role->make_search(model, 0);
  EXPECT_NO_THROW(search->check_start(model.initial_configuration()));
}

// During a run, after a step in which a body has penetrated.
TEST(DeepStarts, DeepRoundBodiesAreFoundAfterAStep) {
  for (const char* kind : {"box", "mesh", "solid"}) {
    for (const Body& body : bodies(1.0)) {
      for (const double depth : {0.05, 0.15, 0.25, 0.3}) {
        Model one("deep");
        add_block(one, kind, {});
        const FrameNode node = one.add_frame(
            "node", {.position = Vec3(0.013, 0.021, body.centre - 0.4 * depth), .rotation = body.R});
        one.add<Surface>({.name = body.name, .of = body.shape, .on = node});
        one.add<ContactsBetween>({.name = "all"});
        const auto search = one.contact_sets()[0].role->make_search(one, 0);
        std::vector<ContactKey> found;
        EXPECT_GT(search->find_undetected(one.initial_configuration(), {}, found), 0.0)
            << kind << " " << body.name << " " << depth;
        EXPECT_FALSE(found.empty());
      }
    }
  }
}

}  // namespace
}  // namespace picus::deep_starts_test
