#include "load_on_node.hpp"
#include <picus/checks.hpp>
#include <picus/error.hpp>
#include <picus/require_point.hpp>
#include <picus/sensors.hpp>
#include <picus/so3.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus::sensors {
namespace {

Culprit culprit(const std::string& name) {
  return {"sensor", name};
}

/// Position, motion and orientation of an observer who moves with a point and rotates with its frame.
struct Observer {
  Mat3 R = Mat3::Identity();
  Vec3 x = Vec3::Zero();
  Vec3 u = Vec3::Zero();
  Vec3 a = Vec3::Zero();
  Vec3 omega = Vec3::Zero();  ///< inertial axes
  Vec3 alpha = Vec3::Zero();

  Observer() = default;
  Observer(const MaterialPoint& point, const State& state)
      : x(point.position(state.q)),
        u(point.velocity(state.q, state.v)),
        a(point.acceleration(state.q, state.v, state.acceleration)) {
    if (!point.on_frame()) return;
    R = state.q.rotation(point.node);
    omega = R * state.v.segment<3>(point.node.v + 3);
    alpha = R * state.acceleration.segment<3>(point.node.v + 3);
  }
};

std::function<void(const Reading&, std::span<double>)> point_reader(
    const MaterialPoint& point, const std::optional<MaterialPoint>& base) {
  return [point, base](const Reading& at, std::span<double> values) {
    const State& state = at.state;
    const Observer seen(point, state);
    const Observer from = base ? Observer(*base, state) : Observer();
    const Vec3 r = seen.x - from.x;
    const Vec3 rate = seen.u - from.u - from.omega.cross(r);
    const Vec3 acceleration = seen.a - from.a - from.alpha.cross(r) - from.omega.cross(from.omega.cross(r)) -
                              2 * from.omega.cross(rate);
    Eigen::Map<Vec3>{&values[0]} = from.R.transpose() * r;
    Eigen::Map<Vec3>{&values[3]} = from.R.transpose() * rate;
    Eigen::Map<Vec3>{&values[6]} = from.R.transpose() * acceleration;
    if (!point.on_frame()) return;
    Eigen::Map<Eigen::Vector4d> last(&values[9]);
    const Eigen::Vector4d quaternion = so3::quaternion(from.R.transpose() * seen.R);
    last = quaternion.dot(last) < 0 ? Eigen::Vector4d(-quaternion) : quaternion;
    Eigen::Map<Vec3>{&values[13]} = seen.R.transpose() * (seen.omega - from.omega);
  };
}

/// The generalised force on a node as a force and a moment, 6 values.
void write_force(const Node& on, const double* p, const std::optional<MaterialPoint>& about,
                 const State& state, std::span<double> values) {
  const Vec3 force = Eigen::Map<const Vec3>(p);
  Vec3 moment = Vec3::Zero();
  if (on.kind == NodeKind::frame) moment = state.q.rotation(on) * Eigen::Map<const Vec3>(p + 3);
  if (about) moment += (state.q.position(on) - about->position(state.q)).cross(force);
  Eigen::Map<Vec3>{&values[0]} = force;
  Eigen::Map<Vec3>{&values[3]} = moment;
}

std::vector<Quantity> force_quantities(const std::string& whose) {
  const std::string mean = "mean since the last sample, inertial frame";
  return {{"force", {3}, "N", whose + ", " + mean}, {"moment", {3}, "N m", whose + ", " + mean}};
}

void require_force_point(const Culprit& who, const Node& on, const std::optional<MaterialPoint>& about,
                         const Model& model) {
  model.require_node(on, who.text(), "on");
  if (on.kind == NodeKind::scalar) {
    throw ModelError(who.text() + ": on is a scalar node, must be a frame or a point");
  }
  if (about) require_place(who, "about", *about, model);
}

std::span<const RowBlock<BilateralConstraint>> blocks_of(const System& system, const BilateralConstraint*) {
  return system.constraints();
}
std::span<const RowBlock<Contact>> blocks_of(const System& system, const Contact*) {
  return system.declared_contacts();
}

void gradient_of(const BilateralConstraint& joint, const State& state, std::span<double> G) {
  joint.gradient(state.q, state.time, G);
}
void gradient_of(const Contact& contact, const State& state, std::span<double> G) {
  contact.gradient(state.q, G);
}

double row_force(const BilateralConstraint&, const Reading& at, std::size_t /*number*/, Index row) {
  return at.state.constraint_force[row] + at.state.constraint_impulse[row] / at.h;
}
double row_force(const Contact&, const Reading& at, std::size_t number, Index row) {
  // Impulses of an open contact are rounding errors.
  const bool is_open = at.state.contact_state[number] == ContactState::gap;
  return is_open ? 0.0 : at.state.contact_impulse[row] / at.h;
}

/// Reads the force of an element with rows on one of its nodes.
template <class R>
class ForceReader {
 public:
  ForceReader(const InRole<R>& source, const Node& on, const std::optional<MaterialPoint>& about)
      : source_(source), on_(on), about_(about), G_(source.role->row_count() * source.element->dof_count()) {}

  void operator()(const Reading& at, std::span<double> values) {
    if (first_row_ < 0) find_row(at.system);
    std::fill(G_.begin(), G_.end(), 0.0);
    gradient_of(*source_.role, at.state, G_);
    const Index rows = source_.role->row_count();
    const std::array<double, 6> p = detail::load_on_node(*source_.element, rows, G_, on_, [&](Index row) {
      return row_force(*source_.role, at, number_, first_row_ + row);
    });
    write_force(on_, p.data(), about_, at.state, values);
  }

 private:
  void find_row(const System& system) {
    const auto blocks = blocks_of(system, source_.role);
    const auto own = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const auto& block) { return block.element == source_.element; });
    first_row_ = own->first_row;
    number_ = own - blocks.begin();
  }

  InRole<R> source_;
  Node on_;
  std::optional<MaterialPoint> about_;
  std::vector<double> G_;
  Index first_row_ = -1;
  std::size_t number_ = 0;  ///< index among constraints or contacts
};

template <class R>
Sensor force_sensor(const std::string& name, double interval, std::string_view kind, const InRole<R>& source,
                    const Node& on, const std::optional<MaterialPoint>& about) {
  if (source.element == nullptr) {
    throw ModelError(fmt::format("{}: {} is not given", culprit(name).text(), kind));
  }
  Sensor sensor{.name = name,
                .interval = interval,
                .quantities = force_quantities(fmt::format("of {} {}", kind, source.element->name())),
                .read = ForceReader<R>(source, on, about),
                .sampling = Sampling::mean};
  sensor.check = [=, kind = std::string(kind)](const Model& model) {
    const Culprit who = culprit(name);
    model.require_element(source.element, who.text(), kind);
    require_force_point(who, on, about, model);
    const auto nodes = source.element->nodes();
    if (std::find(nodes.begin(), nodes.end(), on) == nodes.end()) {
      throw ModelError(fmt::format("{}: node \"{}\" is none of {} \"{}\"", who.text(), model.node_name(on),
                                   kind, source.element->name()));
    }
  };
  return sensor;
}

}  // namespace

Sensor point(const PointOptions& options) {
  const bool is_relative = options.relative_to.has_value();
  const bool turns = is_relative && options.relative_to->on_frame();
  const std::string seen = !is_relative ? "in the inertial frame"
                           : turns      ? "as seen from the other body, in its axes"
                                        : "relative to the other point, inertial axes";
  Sensor sensor{.name = options.name,
                .interval = options.interval,
                .quantities = {{"position", {3}, "m", seen},
                               {"velocity", {3}, "m/s", seen},
                               {"acceleration", {3}, "m/s2", "smooth part, without impacts, " + seen}},
                .read = point_reader(options.point, options.relative_to)};
  if (options.point.on_frame()) {
    sensor.quantities.push_back({"rotation",
                                 {4},
                                 "1",
                                 fmt::format("unit quaternion w, x, y, z that turns the body's axes into {}",
                                             turns ? "those of the other body" : "the inertial frame")});
    sensor.quantities.push_back(
        {"angular_velocity",
         {3},
         "rad/s",
         turns ? "against the other body, in the body's axes" : "in the body's axes"});
  }
  sensor.check = [options](const Model& model) {
    const Culprit who = culprit(options.name);
    require_place(who, "point", options.point, model);
    if (options.relative_to) require_place(who, "relative_to", *options.relative_to, model);
  };
  return sensor;
}

Sensor scalar(const ScalarOptions& options) {
  return {.name = options.name,
          .interval = options.interval,
          .quantities = {{"value", {}, "unit of the node", "value"},
                         {"velocity", {}, "unit of the node/s", "its rate"},
                         {"acceleration", {}, "unit of the node/s2", "smooth part, without impacts"}},
          .read =
              [node = options.node](const Reading& at, std::span<double> values) {
                values[0] = at.state.q.value(node);
                values[1] = at.state.v[node.v];
                values[2] = at.state.acceleration[node.v];
              },
          .check =
              [options](const Model& model) {
                model.require_node(options.node, culprit(options.name).text(), "node");
              }};
}

Sensor element_point(const ElementPointOptions& options) {
  const auto& [element, xi] = options.at;
  if (element.element == nullptr) {
    throw ModelError(culprit(options.name).text() + ": the element is not given");
  }
  return {
      .name = options.name,
      .interval = options.interval,
      .quantities = element.role->point_quantities(),
      .read = [role = element.role, place = xi](
                  const Reading& at,
                  std::span<double> values) { role->observe_point(place, at.motion(), values); },
      .check =
          [options](const Model& model) {
            const Culprit who = culprit(options.name);
            const auto& [which, local] = options.at;
            model.require_element(which.element, who.text(), "the element");
            if (!which.role->contains(local)) {
              throw ModelError(fmt::format("{}: local coordinates ({}, {}, {}) are outside element \"{}\"",
                                           who.text(), local[0], local[1], local[2], which.element->name()));
            }
          }};
}

Sensor joint_force(const JointForceOptions& options) {
  return force_sensor(options.name, options.interval, "joint", options.joint, options.on, options.about);
}

Sensor contact_force(const ContactForceOptions& options) {
  return force_sensor(options.name, options.interval, "contact", options.contact, options.on, options.about);
}

Sensor support_force(const SupportForceOptions& options) {
  return {.name = options.name,
          .interval = options.interval,
          .quantities = force_quantities("of the support"),
          .read =
              [on = options.on, about = options.about](const Reading& at, std::span<double> values) {
                write_force(on, at.state.reaction.data() + on.v, about, at.state, values);
              },
          .sampling = Sampling::mean,
          .check =
              [options](const Model& model) {
                const Culprit who = culprit(options.name);
                require_force_point(who, options.on, options.about, model);
                Index held = 0;
                for (Index i = 0; i < velocity_size(options.on.kind); ++i) {
                  const Index dof = options.on.v + i;
                  if (model.is_fixed(dof) || model.driven().contains(dof)) ++held;
                }
                if (held == 0) {
                  throw ModelError(fmt::format("{}: no component of node \"{}\" is fixed or driven",
                                               who.text(), model.node_name(options.on)));
                }
              }};
}

}  // namespace picus::sensors
