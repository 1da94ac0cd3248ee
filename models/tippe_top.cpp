#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/tippe_top.hpp>
#include <picus/so3.hpp>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

double epsilon(const TippeTop& p) {
  return 2.0 / 3 * p.contact_radius;
}

Mat3 start_rotation(const TippeTop& p) {
  return so3::exp({p.inclination, 0, 0});
}

Vec3 axis_of(const Configuration& q, const Node& top) {
  return q.rotation(top).col(2);
}

/// Angle between the axis and the vertical.
double inclination(const Configuration& q, const Node& top) {
  const Vec3 e = axis_of(q, top);
  return std::atan2(std::hypot(e.x(), e.y()), e.z());
}

double jellett(const State& state, const Node& top, const TippeTop& p) {
  const Mat3 R = state.q.rotation(top);
  const Vec3 J(p.transverse_inertia, p.transverse_inertia, p.axial_inertia);
  const Vec3 L = R * J.cwiseProduct(Vec3(state.v.segment<3>(top.v + 3)));
  return L.dot(p.sphere_centre * R.col(2) - p.sphere_radius * Vec3::UnitZ());
}

}  // namespace

Model make_tippe_top(const TippeTop& p) {
  Model model("tippe-top");
  const Mat3 R = start_rotation(p);
  const FrameNode node =
      model.add_frame("top", {.position = {0, 0, p.sphere_radius - p.sphere_centre * R(2, 2)},
                              .rotation = R,
                              .angular_velocity = {0, 0, p.spin}});
  const auto body = model.add<RigidBody>(
      {.name = "body",
       .node = node,
       .mass = p.mass,
       .inertia = inertia::diagonal(p.transverse_inertia, p.transverse_inertia, p.axial_inertia)});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -p.gravity}, .bodies = {body->mass_point()}});
  const auto add_contact = [&](const char* name, double centre, double radius) {
    model.add<SphereToFaceContact>({.name = name,
                                    .centre = {node, {0, 0, centre}},
                                    .radius = radius,
                                    .face = {.normal = {0, 0, 1}},
                                    .mu = p.mu,
                                    .drilling_radius = epsilon(p)});
  };
  add_contact("sphere", p.sphere_centre, p.sphere_radius);
  add_contact("stem", p.stem_centre, p.stem_radius);
  return model;
}

Signals tippe_top_signals(const RunInfo& run, const TippeTop& p) {
  const auto exact = std::make_shared<TippeTopReference>(
      TippeTopParameters{.mass = p.mass,
                         .inertia = {p.transverse_inertia, p.transverse_inertia, p.axial_inertia},
                         .radius = p.sphere_radius,
                         .centre = p.sphere_centre,
                         .mu = p.mu,
                         .epsilon = epsilon(p),
                         .gravity = p.gravity,
                         .rotation = start_rotation(p),
                         .angular_velocity = {0, 0, p.spin}},
      run.stop_request);
  const Node top = run.system.model().find_node("top");
  Signals signals;
  signals.push_back({"inclination", "rad", "angle of the axis with the vertical",
                     [top](const Snapshot& at) { return inclination(at.state.q, top); },
                     [exact](double t) { return exact->inclination(t); }});
  signals.push_back(position(run, "top", Axis::z).against([exact](double t) { return exact->height(t); }));
  signals.push_back({"spin", "rad/s", "angular velocity about the vertical", [top](const Snapshot& at) {
                       return (at.state.q.rotation(top) * at.state.v.segment<3>(top.v + 3)).z();
                     }});
  signals.push_back({"jellett", "kg m3/s", "Jellett's integral",
                     [top, p](const Snapshot& at) { return jellett(at.state, top, p); }});
  signals.push_back(gap(run, "sphere"));
  signals.push_back(gap(run, "stem"));
  signals.push_back(energy(run));
  return signals;
}

Measures tippe_top_measures(const RunInfo& run, const TippeTop& p) {
  const Node top = run.system.model().find_node("top");
  const InRole<Contact> stem = run.system.model().contacts()[1];
  Measures measures;
  measures.add("the stem touches at", "s", measures.first_time([stem](const Snapshot& at) {
    return at.contact(stem).state != ContactState::gap;
  }));
  measures.add("largest inclination", "rad",
               measures.largest([top](const Snapshot& at) { return inclination(at.state.q, top); }),
               std::numbers::pi, "upside down");
  measures.add("greatest height of the centre of mass", "m",
               measures.largest([top](const Snapshot& at) { return at.state.q.position(top).z(); }),
               p.stem_centre + p.stem_radius, "upright on its stem");
  return measures;
}

RegisteredModel registered_tippe_top() {
  using P = TippeTop;
  auto table =
      ParameterTable<P>()
          .real("mass", &P::mass, Range::positive(), "kg", "mass")
          .real("transverse_inertia", &P::transverse_inertia, Range::positive(), "kg m2",
                "moment of inertia about the centre of mass, across the axis")
          .real("axial_inertia", &P::axial_inertia, Range::positive(), "kg m2",
                "moment of inertia about the axis")
          .real("sphere_radius", &P::sphere_radius, Range::positive(), "m", "radius of the sphere")
          .real("sphere_centre", &P::sphere_centre, Range::positive(), "m",
                "from the centre of mass to the centre of the sphere")
          .real("stem_radius", &P::stem_radius, Range::positive(), "m", "radius of the stem's end")
          .real("stem_centre", &P::stem_centre, Range::positive(), "m",
                "from the centre of mass to the centre of the stem's end")
          .real("mu", &P::mu, Range::positive(), "", "coefficient of friction")
          .real("contact_radius", &P::contact_radius, Range::not_negative(), "m",
                "radius of the disc over which both ends touch; 0: points")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity")
          .real("inclination", &P::inclination, {}, "rad", "angle of the axis with the vertical at the start")
          .real("spin", &P::spin, {}, "rad/s", "angular velocity about the axis at the start");
  return ModelParts<P>{
      .info =
          {.name = "tippe-top",
           .summary =
               "A tippe-top turns over and stands on its stem. Sliding friction raises it, drilling friction "
               "(Coulomb and Contensou) slows its spin; the stem hits the floor on the way.",
           .source = "Leine and Glocker 2003, section 6",
           .step = 1e-4,
           .until = 2.0,
           .convergence = {.quantities = {"inclination", "top.z"},
                           .steps = {4e-4, 2e-4, 1e-4, 5e-5},
                           .until = 0.5}},
      .parameters = table,
      .build = make_tippe_top,
      .measures = tippe_top_measures,
      .signals = tippe_top_signals};
}

}  // namespace picus::models
