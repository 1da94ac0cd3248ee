#include <picus/elements/forces/face_pressure.hpp>
#include <picus/elements/forces/quadrilateral_face.hpp>
#include <picus/elements/forces/require_load.hpp>
#include <picus/so3.hpp>

namespace picus {

FacePressure::FacePressure(Parameters parameters, const Model& model)
    : Element(std::move(parameters.name), {parameters.face.begin(), parameters.face.end()}),
      pressure_(std::move(parameters.pressure)) {
  const Culprit who{"face pressure", name()};
  require_face(who, parameters.face, model);
  require_load(who, "pressure", pressure_, "Pa");
}

Force::Traits FacePressure::traits() const {
  return {.depends_on_configuration = true,
          .depends_on_velocity = false,
          .has_potential = false,
          .is_conservative = false,
          .is_load = true};
}

void FacePressure::force(const Motion& motion, std::span<double> f) const {
  const double p = pressure_(motion.t);
  const FaceCorners x = face_corners(nodes(), motion.q);
  auto forces = matrix_view<3, 4>(f);
  for (const FacePoint& at : face_points()) {
    const Vec3 area = (x * at.N_xi).cross(x * at.N_eta);
    forces.noalias() -= (p * area) * at.N.transpose();
  }
}

void FacePressure::tangents(const Motion& motion, std::span<double> K, std::span<double>) const {
  const double p = pressure_(motion.t);
  const FaceCorners x = face_corners(nodes(), motion.q);
  auto matrix = matrix_view<12, 12>(K);
  for (const FacePoint& at : face_points()) {
    const Mat3 along_xi = p * so3::skew(x * at.N_xi);
    const Mat3 along_eta = p * so3::skew(x * at.N_eta);
    for (Index b = 0; b < 4; ++b) {
      const Mat3 change = at.N_eta[b] * along_xi - at.N_xi[b] * along_eta;
      for (Index a = 0; a < 4; ++a) matrix.block<3, 3>(3 * a, 3 * b) += at.N[a] * change;
    }
  }
}

std::vector<Handle<FacePressure>> add_pressure(Model& model, const PressureParameters& parameters) {
  if (parameters.faces.empty()) {
    throw ModelError(fmt::format("pressure \"{}\": faces is empty", parameters.name));
  }
  std::vector<Handle<FacePressure>> result;
  for (std::size_t i = 0; i < parameters.faces.size(); ++i) {
    result.push_back(model.add<FacePressure>({.name = fmt::format("{}[{}]", parameters.name, i),
                                              .face = parameters.faces[i],
                                              .pressure = parameters.pressure}));
  }
  return result;
}

}  // namespace picus
