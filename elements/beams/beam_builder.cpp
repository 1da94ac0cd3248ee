#include <picus/checks.hpp>
#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/beams/section_axes.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus {
namespace {

/// A part of a beam with a smooth axis.
using Leg = std::vector<SectionPose>;

Leg straight_leg(const Culprit& who, const Vec3& from, const Vec3& to, const BeamOptions& options) {
  const Mat3 axes = section_axes(who, (to - from).normalized(), options.orientation);
  Leg leg;
  for (int i = 0; i <= options.elements; ++i) {
    const double s = static_cast<double>(i) / options.elements;
    leg.push_back({(1 - s) * from + s * to, axes});
  }
  return leg;
}

std::vector<Leg> polyline(const Culprit& who, const std::vector<Vec3>& corners, const BeamOptions& options) {
  if (corners.size() < 2) throw ModelError(who.text() + ": corners has one point, must have two at least");
  std::vector<Leg> legs;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    require_finite(who, fmt::format("corners[{}]", i), corners[i], "m");
    if (i == 0) continue;
    if (corners[i] == corners[i - 1]) {
      throw ModelError(
          fmt::format("{}: corners[{}] and corners[{}] are the same point", who.text(), i - 1, i));
    }
    legs.push_back(straight_leg(who, corners[i - 1], corners[i], options));
  }
  return legs;
}

/// Rotation of the sections from s to s + step, rad: summed over pieces, because the logarithm of a rotation cannot
/// distinguish an angle from the same angle plus a full turn.
double rotation_angle(const Centreline& centreline, double s, double step) {
  constexpr int pieces = 8;
  double sum = 0;
  Mat3 last = centreline(s).axes;
  for (int i = 1; i <= pieces; ++i) {
    const Mat3 next = centreline(s + step * i / pieces).axes;
    sum += so3::log(last.transpose() * next).norm();
    last = next;
  }
  return sum;
}

Leg along(const Culprit& who, const Centreline& centreline, int elements) {
  Leg leg = {centreline(0.0)};
  require_axes(who, "the matrix of axes at s = 0 of centreline", leg[0].axes);
  for (int i = 0; i < elements; ++i) {
    const SectionPose next = centreline((i + 1.0) / elements);
    require_axes(who, fmt::format("the matrix of axes at s = {} of centreline", (i + 1.0) / elements),
                 next.axes);
    const double angle = rotation_angle(centreline, static_cast<double>(i) / elements, 1.0 / elements);
    if (!(angle < max_rotation)) {
      throw ModelError(
          fmt::format("{}: element {} turns by {:.4g} rad, must be less than {}; take more elements",
                      who.text(), i, angle, max_rotation));
    }
    leg.push_back(next);
  }
  return leg;
}

std::vector<Leg> legs_of(const Culprit& who, const BeamOptions& options) {
  const bool is_straight = options.to.has_value();
  const int shapes = (is_straight ? 1 : 0) + (options.corners.empty() ? 0 : 1) +
                     (options.centreline ? 1 : 0) + (options.poses.empty() ? 0 : 1);
  if (shapes != 1 || (options.from && !is_straight)) {
    throw ModelError(who.text() + ": give its shape by one of from and to, corners, centreline or poses");
  }
  if (!options.poses.empty()) {
    if (options.elements != 0) throw ModelError(who.text() + ": elements is given, but poses counts them");
    if (options.poses.size() < 2)
      throw ModelError(who.text() + ": poses has one section, must have two at least");
    return {options.poses};
  }
  if (options.elements < 1) {
    throw ModelError(fmt::format("{}: elements is {}, must be at least 1", who.text(), options.elements));
  }
  if (options.centreline) return {along(who, options.centreline, options.elements)};
  if (!is_straight) return polyline(who, options.corners, options);
  const Vec3 from = options.from.value_or(Vec3::Zero());
  require_finite(who, "from", from, "m");
  require_finite(who, "to", *options.to, "m");
  if (from == *options.to) throw ModelError(who.text() + ": from and to are the same point");
  return {straight_leg(who, from, *options.to, options)};
}

/// A node given by the user, which must be at the end of the beam.
FrameNode joined(const Culprit& who, std::string_view role, const FrameNode& node, const Vec3& position,
                 const Model& model) {
  model.require_node(node, who.text(), role);
  const double distance = (model.initial_configuration().position(node) - position).norm();
  // Positions given by the user are often computed: a deviation of a micrometre per metre is accepted.
  if (!(distance <= 1e-6 * std::max(1.0, position.norm()))) {
    throw ModelError(
        fmt::format("{}: {} is {:.3g} m away from the end of the beam", who.text(), role, distance));
  }
  return node;
}

}  // namespace

Centreline arc(const ArcOptions& options) {
  const Culprit who{"centreline", "arc"};
  require_finite(who, "from", options.from, "m");
  require_finite(who, "centre", options.centre, "m");
  const Vec3 axis = require_direction(who, "axis", options.axis);
  require_finite(who, "angle", options.angle, "rad");
  require_finite(who, "rise", options.rise, "m");
  if (options.angle == 0) throw ModelError(who.text() + ": angle is 0 rad, must not be zero");
  const Vec3 arm = options.from - options.centre;
  const Vec3 foot = options.centre + arm.dot(axis) * axis;
  const Vec3 radius = options.from - foot;
  if (radius.norm() <= 1e-9 * arm.norm()) throw ModelError(who.text() + ": from lies on the axis");
  const Vec3 velocity = options.angle * axis.cross(radius) + options.rise * axis;
  Mat3 axes;
  axes.col(0) = velocity.normalized();
  axes.col(1) = -radius.normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return [=](double s) -> SectionPose {
    const Mat3 turned = so3::exp(s * options.angle * axis);
    return {foot + turned * radius + s * options.rise * axis, turned * axes};
  };
}

SectionPose section_pose(const Vec3& position, const Vec3& tangent, const Vec3& orientation) {
  const Culprit who{"section pose", "tangent"};
  return {position, section_axes(who, require_direction(who, "tangent", tangent), orientation)};
}

double BeamMesh::length() const {
  double sum = 0;
  for (const Handle<Beam>& element : elements) sum += element->length();
  return sum;
}

ContinuumPoint BeamMesh::point(double arc_length, double y, double z) const {
  const double whole = length();
  const double slack = 1e-9 * whole;  // arc lengths are rounded sums
  if (!(arc_length >= -slack && arc_length <= whole + slack)) {
    throw ModelError(fmt::format("beam of element \"{}\": there is no point at {} m, its length is {:.9g} m",
                                 elements.front()->name(), arc_length, whole));
  }
  std::size_t i = 0;
  double along = arc_length;  // from the first node of element i
  while (i + 1 < elements.size() && along > elements[i]->length()) along -= elements[i++]->length();
  return {elements[i], {std::clamp(along / elements[i]->length(), 0.0, 1.0), y, z}};
}

std::vector<MassPoint> BeamMesh::mass_points() const {
  std::vector<MassPoint> result;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::vector<MassPoint> ends = elements[i]->mass_points();
    if (i == 0) {
      result.push_back(ends[0]);
    } else {
      result.back().mass += ends[0].mass;
    }
    result.push_back(ends[1]);
  }
  // In a ring the last node is the first.
  if (first() == last()) {
    result.front().mass += result.back().mass;
    result.pop_back();
  }
  return result;
}

BeamMesh make_beam(Model& model, const BeamOptions& options) {
  const Culprit who{"beam", options.name};
  require_section(who, options.section);
  require_finite(who, "velocity", options.velocity, "m/s");
  require_finite(who, "angular_velocity", options.angular_velocity, "rad/s");
  const std::vector<Leg> legs = legs_of(who, options);
  const Vec3 origin = legs.front().front().position;

  BeamMesh mesh;
  int added = 0;  // starts at 0 even after an existing node, so that results group the nodes into one array
  const auto add_node = [&](const SectionPose& pose) {
    mesh.nodes.push_back(model.add_frame(
        fmt::format("{}[{}]", options.name, added++),
        {.position = pose.position,
         .rotation = pose.axes,
         .velocity = options.velocity + options.angular_velocity.cross(pose.position - origin),
         .angular_velocity = pose.axes.transpose() * options.angular_velocity}));
  };
  if (options.first_node) {
    mesh.nodes.push_back(joined(who, "first_node", *options.first_node, origin, model));
  } else {
    add_node(legs.front().front());
  }
  for (const Leg& leg : legs) {
    for (std::size_t i = 1; i < leg.size(); ++i) {
      const bool is_last = &leg == &legs.back() && i + 1 == leg.size();
      if (is_last && options.last_node) {
        mesh.nodes.push_back(joined(who, "last_node", *options.last_node, leg[i].position, model));
      } else {
        add_node(leg[i]);
      }
      mesh.elements.push_back(
          model.add<Beam>({.name = fmt::format("{}[{}]", options.name, mesh.elements.size()),
                           .a = mesh.nodes[mesh.nodes.size() - 2],
                           .b = mesh.nodes.back(),
                           .section = options.section,
                           .axes_a = leg[i - 1].axes,
                           .axes_b = leg[i].axes,
                           .mass = options.mass}));
    }
  }
  return mesh;
}

}  // namespace picus
