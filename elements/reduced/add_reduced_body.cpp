#include <picus/checks.hpp>
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/elements/reduced/reduced_damping.hpp>
#include <picus/elements/reduced/reduced_gravity.hpp>
#include <picus/elements/reduced/reduced_picture.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace picus {
namespace {

template <class KindOfNode>
KindOfNode find(const ReducedBodyMesh& mesh, std::string_view name, NodeKind kind, std::string_view what) {
  std::vector<std::string> known;
  for (const auto& [one, node] : mesh.attached) {
    if (node.kind != kind) continue;
    if (one == name) return KindOfNode{node};
    known.push_back(one);
  }
  throw ModelError(fmt::format("reduced body \"{}\" has no {} \"{}\"{}", mesh.body->name(), what, name,
                               suggestion(name, known)));
}

/// Adds the node of a point of the body, moving with it, and ties it.
Node attach(Model& model, const ReducedBodyOptions& options, const ReducedBody& body,
            const ReducedPoint& point, const Vector& eta) {
  const std::string name = fmt::format("{}.{}", options.name, point.name);
  const Vec3 y = point.displaced(eta);
  const Vec3 position = options.position + options.rotation * y;
  const Vec3 velocity = options.velocity + options.rotation * options.angular_velocity.cross(y);
  Node node;
  if (point.kind == NodeKind::frame) {
    const Mat3 local = point.axes * so3::exp(point.rotated(eta));
    node = model.add_frame(name, {.position = position,
                                  .rotation = options.rotation * local,
                                  .velocity = velocity,
                                  .angular_velocity = local.transpose() * options.angular_velocity});
  } else {
    node = model.add_point(name, {.position = position, .velocity = velocity});
  }
  model.add<ReducedAttachment>({.name = name, .body = &body, .point = point.name, .node = node});
  return node;
}

/// Whether the modes have neither linear nor angular momentum; then the frame may be placed anywhere. It is moved to the
/// centre of mass, however far away the origin of the part is: any other point is accelerated by rotation, and its path
/// is integrated less accurately.
bool is_in_mean_axes(const ReducedBasis& basis) {
  return basis.mode_count() > 0 && basis.N.isZero(0.0) && basis.L.isZero(0.0) && basis.mass > 0;
}

void move_to_centre_of_mass(ReducedBodyOptions& options) {
  ReducedBasis basis = *options.basis;
  const Vec3 c = basis.first_moment / basis.mass;
  for (std::vector<ReducedPoint>* points : {&basis.interfaces, &basis.nodes}) {
    for (ReducedPoint& point : *points) point.position -= c;
  }
  basis.first_moment.setZero();
  basis.inertia -= basis.mass * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  options.position += options.rotation * c;
  options.velocity += options.rotation * options.angular_velocity.cross(c);
  options.basis = std::make_shared<const ReducedBasis>(std::move(basis));
}

}  // namespace

FrameNode ReducedBodyMesh::interface(std::string_view name) const {
  return find<FrameNode>(*this, name, NodeKind::frame, "interface");
}

PointNode ReducedBodyMesh::point(std::string_view name) const {
  return find<PointNode>(*this, name, NodeKind::point, "point node");
}

ReducedBodyMesh add_reduced_body(Model& model, const ReducedBodyOptions& options) {
  const Culprit who{"reduced body", options.name};
  if (options.basis == nullptr) throw ModelError(who.text() + ": it has no basis");
  options.basis->check();
  ReducedBodyOptions centred = options;
  if (is_in_mean_axes(*options.basis)) move_to_centre_of_mass(centred);
  const ReducedBasis& basis = *centred.basis;
  const Index m = basis.mode_count();
  const Vector eta = centred.coordinates.size() == 0 ? Vector(Vector::Zero(m)) : centred.coordinates;
  if (eta.size() != m)
    throw ModelError(
        fmt::format("{}: {} initial coordinates are given for {} modes", who.text(), eta.size(), m));
  for (const std::string& node : centred.nodes) basis.point(node);
  for (const FaceNames& face : centred.surface) {
    for (const std::string& node : face) basis.point(node);
  }

  const FrameNode frame = model.add_frame(centred.name, {.position = centred.position,
                                                         .rotation = centred.rotation,
                                                         .velocity = centred.velocity,
                                                         .angular_velocity = centred.angular_velocity});
  std::vector<ScalarNode> coordinates;
  for (Index k = 0; k < m; ++k)
    coordinates.push_back(model.add_scalar(fmt::format("{}.eta[{}]", centred.name, k), {.value = eta[k]}));
  const auto body = model.add<ReducedBody>(
      {.name = centred.name, .basis = centred.basis, .frame = frame, .coordinates = coordinates});
  if (m > 0 && !basis.damping.isZero(0.0))
    model.add<ReducedDamping>({.name = centred.name + ".damping", .body = &*body});
  if (centred.gravity) {
    model.add<ReducedGravity>(
        {.name = centred.name + ".gravity", .acceleration = *centred.gravity, .body = &*body});
  }
  ReducedBodyMesh mesh{frame, coordinates, body, {}, {}};
  for (const ReducedPoint& point : basis.interfaces)
    mesh.attached[point.name] = attach(model, centred, *body, point, eta);
  const auto attach_point = [&](const std::string& name) -> PointNode {
    ReducedPoint point = basis.point(name);
    point.kind = NodeKind::point;
    const Node node = attach(model, centred, *body, point, eta);
    mesh.attached[name] = node;
    return PointNode{node};
  };
  for (const std::string& name : centred.nodes) attach_point(name);
  for (const FaceNames& names : centred.surface) {
    QuadrilateralNodes face;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto known = mesh.attached.find(names[i]);
      const bool is_point = known != mesh.attached.end() && known->second.kind == NodeKind::point;
      face[i] = is_point ? PointNode{known->second} : attach_point(names[i]);
    }
    mesh.faces.push_back(face);
  }
  if (centred.part != nullptr) {
    std::map<std::string, PointNode, std::less<>> points;
    for (const auto& [name, node] : mesh.attached) {
      if (node.kind == NodeKind::point) points.emplace(name, PointNode{node});
    }
    model.add<ReducedPicture>(
        {.name = centred.name + ".picture", .body = &*body, .part = centred.part, .nodes = points});
  }
  return mesh;
}

std::vector<FaceNames> face_names(const Model& part, const std::vector<QuadrilateralNodes>& faces) {
  std::vector<FaceNames> names;
  for (const QuadrilateralNodes& face : faces) {
    FaceNames one;
    for (std::size_t i = 0; i < 4; ++i) {
      part.require_node(face[i], "face_names()", "a node of a face");
      one[i] = part.node_name(face[i]);
    }
    names.push_back(one);
  }
  return names;
}

}  // namespace picus
