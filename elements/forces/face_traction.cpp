#include <picus/elements/forces/face_traction.hpp>
#include <picus/elements/forces/quadrilateral_face.hpp>
#include <picus/elements/forces/require_load.hpp>

namespace picus {

FaceTraction::FaceTraction(Parameters parameters, const Model& model)
    : Element(std::move(parameters.name), {parameters.face.begin(), parameters.face.end()}),
      traction_(std::move(parameters.traction)),
      areas_(Eigen::Vector4d::Zero()) {
  const Culprit who{"face traction", name()};
  require_face(who, parameters.face, model);
  require_load(who, "traction", traction_, "Pa");
  const FaceCorners x = face_corners(nodes(), model.initial_configuration());
  for (const FacePoint& at : face_points()) areas_ += (x * at.N_xi).cross(x * at.N_eta).norm() * at.N;
}

Force::Traits FaceTraction::traits() const {
  return {.depends_on_configuration = false,
          .depends_on_velocity = false,
          .has_potential = false,
          .is_conservative = false,
          .is_load = true};
}

void FaceTraction::force(const Motion& motion, std::span<double> f) const {
  matrix_view<3, 4>(f) = traction_(motion.t) * areas_.transpose();
}

void FaceTraction::tangents(const Motion&, std::span<double>, std::span<double>) const {}

std::vector<Handle<FaceTraction>> add_traction(Model& model, const TractionParameters& parameters) {
  if (parameters.faces.empty()) {
    throw ModelError(fmt::format("traction \"{}\": faces is empty", parameters.name));
  }
  std::vector<Handle<FaceTraction>> result;
  for (std::size_t i = 0; i < parameters.faces.size(); ++i) {
    result.push_back(model.add<FaceTraction>({.name = fmt::format("{}[{}]", parameters.name, i),
                                              .face = parameters.faces[i],
                                              .traction = parameters.traction}));
  }
  return result;
}

}  // namespace picus
