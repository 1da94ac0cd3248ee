#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/models/hertz_contact.hpp>

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

/// Width of the slice of a cylinder relative to the radius.
constexpr double slice = 0.05;

bool is_ball(const HertzContact& p) {
  return p.shape == HertzContact::Shape::ball;
}

/// Maps a point of the unit cube to the upper body, whose contact point is the origin: smaller cells near it.
Vec3 place_in_body(const HertzContact& p, const Vec3& X) {
  constexpr double grading = 6.5;
  const auto graded = [](double s) { return std::sinh(grading * s) / std::sinh(grading); };
  const double u = graded(X.x());
  const double w = graded(X.z());
  const double v = is_ball(p) ? graded(X.y()) : 0.0;
  const double angle = u * std::numbers::pi / 4;
  const Vec3 foot = is_ball(p) ? Vec3(Vec3::UnitZ() + Vec3(u, v, -1).normalized())
                               : Vec3(std::sin(angle), slice * X.y(), 1 - std::cos(angle));
  const Vec3 top(u, is_ball(p) ? v : slice * X.y(), 1);
  return p.radius * ((1 - w) * foot + w * top);
}

HexahedralMesh mesh_of(const HertzContact& p, bool is_upper) {
  const Index cells = is_upper ? p.cells : p.other_cells;
  return make_box_mesh({.size = {1, 1, 1},
                        .divisions = {cells, is_ball(p) ? cells : 1, cells},
                        .map = [p, is_upper](const Vec3& X) -> Vec3 {
                          if (is_upper) return place_in_body(p, X);
                          const Vec3 x = place_in_body(p, {X.x(), X.y(), 1 - X.z()});
                          return {x.x(), x.y(), -x.z()};
                        }});
}

bool is_in_middle(const HertzContact& p, const Vec3& x) {
  return (is_ball(p) ? x.head<2>().norm() : std::abs(x.x())) < 1e-9 * p.radius;
}

/// Area on the contact side that belongs to the nodes in the middle.
double area_in_middle(const HertzContact& p) {
  const HexahedralMesh mesh = mesh_of(p, true);
  double area = 0;
  for (const CellFace& face : mesh.faces("z-")) {
    const auto x = [&](std::size_t i) -> const Vec3& { return mesh.points[face[i]]; };
    const double share = 0.125 * (x(2) - x(0)).cross(x(3) - x(1)).norm();
    for (std::size_t i = 0; i < 4; ++i) area += is_in_middle(p, x(i)) ? share : 0;
  }
  return area;
}

Solid add_half(Model& model, const HertzContact& p, bool is_upper) {
  const Solid body = add_solid(
      model, mesh_of(p, is_upper),
      {.name = is_upper ? "body" : "other",
       .material = {.youngs_modulus = p.modulus, .poissons_ratio = p.poissons_ratio, .density = 1000}});
  for (const PointNode& node : body.nodes("x-")) model.fix(node, {Component::x});
  for (const PointNode& node : is_ball(p) ? body.nodes("y-") : body.nodes()) model.fix(node, {Component::y});
  model.add<Surface>(
      {.name = is_upper ? "body" : "other", .of = shapes::Faces{body.faces(is_upper ? "z-" : "z+")}});
  return body;
}

/// Downward displacement of the upper section: twice as large on another body as on a plane.
double approach(const HertzContact& p) {
  const double a = p.half_width;
  const double way = p.radius * (is_ball(p) ? a * a : 0.5 * a * a * (2 * std::log(4 / a) - 1));
  return p.other == HertzContact::Other::body ? 2 * way : way;
}

struct HertzReading {
  double force = 0.0, half_width = 0.0, pressure = 0.0;  ///< of the modelled part; the last two minus 1
};

HertzReading read_hertz(const Snapshot& at, const HertzContact& p, double area) {
  HertzReading read;
  double second = 0;
  double middle = 0;
  for (const auto& contact : at.system.contacts()) {
    const Vec3 x = contact.role->contact_point(at.state.q).value_or(Vec3::Zero());
    const double force = at.state.step > 0 ? at.state.contact_impulse[contact.first_row] / at.h : 0.0;
    read.force += force;
    second += force * (is_ball(p) ? x.head<2>().squaredNorm() : x.x() * x.x());
    if (is_in_middle(p, x)) middle += force;
  }
  if (!(read.force > 0)) return read;
  const double E_star = p.modulus / (1 - p.poissons_ratio * p.poissons_ratio);
  const double per_length = 2 * read.force / (slice * p.radius);
  const double a = is_ball(p) ? std::cbrt(3 * read.force * p.radius / E_star)
                              : std::sqrt(4 * per_length * p.radius / (std::numbers::pi * E_star));
  const double p_0 =
      is_ball(p) ? 6 * read.force / (std::numbers::pi * a * a) : 2 * per_length / (std::numbers::pi * a);
  read.half_width = std::sqrt((is_ball(p) ? 2.5 : 4.0) * second / read.force) / a - 1;
  read.pressure = middle / area / p_0 - 1;
  return read;
}

}  // namespace

Model make_hertz_contact(const HertzContact& p) {
  Model model("hertz-contact");
  const Solid upper = add_half(model, p, true);
  const double way = approach(p);
  for (const PointNode& node : upper.nodes("z+")) {
    model.drive(node, Component::z,
                {.displacement = [way](double load) { return -way * load; },
                 .rate = [way](double) { return -way; },
                 .acceleration = nullptr});
  }
  if (p.other == HertzContact::Other::body) {
    const Solid lower = add_half(model, p, false);
    for (const PointNode& node : lower.nodes("z-")) model.fix(node, {Component::z});
  } else {
    model.add<Surface>({.name = "plane", .of = shapes::HalfSpace{}});
  }
  model.add<ContactsBetween>({.name = "all", .two_pass = p.two_pass});
  return model;
}

Signals hertz_contact_signals(const RunInfo& run, const HertzContact& p) {
  const double area = area_in_middle(p);
  const auto part = [p, area](double HertzReading::*member) {
    return [p, area, member](const Snapshot& at) { return read_hertz(at, p, area).*member; };
  };
  return {{"force", "N", "contact force on the part that is modelled", part(&HertzReading::force)},
          {"half_width", "", "half-width over that of the theory, minus 1", part(&HertzReading::half_width)},
          {"pressure", "", "pressure in the middle over that of the theory, minus 1",
           part(&HertzReading::pressure)},
          energy(run)};
}

Measures hertz_contact_measures(const RunInfo& /*run*/, const HertzContact& p) {
  const double area = area_in_middle(p);
  Measures measures;
  measures.add(
      "half-width at the end over that of the theory", "",
      measures.at_end([p, area](const Snapshot& at) { return 1 + read_hertz(at, p, area).half_width; }), 1.0,
      "Hertz 1881");
  measures.add(
      "pressure in the middle at the end over that of the theory", "",
      measures.at_end([p, area](const Snapshot& at) { return 1 + read_hertz(at, p, area).pressure; }), 1.0,
      "Hertz 1881");
  return measures;
}

RegisteredModel registered_hertz_contact() {
  using P = HertzContact;
  auto table =
      ParameterTable<P>()
          .choice("shape", &P::shape, {{"cylinder", P::Shape::cylinder}, {"ball", P::Shape::ball}},
                  "of the elastic body")
          .choice("other", &P::other, {{"plane", P::Other::plane}, {"body", P::Other::body}},
                  "a rigid plane, or an elastic body like the first")
          .integer("cells", &P::cells, {.low = 4, .high = 64}, "of the first body in each direction")
          .integer("other_cells", &P::other_cells, {.low = 2, .high = 64},
                   "of the other body, at most as many")
          .real("radius", &P::radius, Range::positive(), "m", "of the bodies")
          .real("half_width", &P::half_width, Range::between(1e-4, 0.05), "",
                "of the contact at the end over the radius, roughly")
          .real("modulus", &P::modulus, Range::positive(), "N/m2", "Young's modulus")
          .real("poissons_ratio", &P::poissons_ratio, Range::between(0, 0.45), "", "of the material")
          .flag("two_pass", &P::two_pass, "whether nodes of both bodies contact the faces of the other");
  return ModelParts<P>{
      .info = {.name = "hertz-contact",
               .summary = "An elastic cylinder or ball is pressed on a plane or on another body. Width and "
                          "pressure of the contact are compared with Hertz. Made for picus static.",
               .source = "Hertz 1881",
               .step = 1e-2,
               .until = 1.0},
      .parameters = table,
      .build = make_hertz_contact,
      .measures = hertz_contact_measures,
      .signals = hertz_contact_signals};
}

}  // namespace picus::models
