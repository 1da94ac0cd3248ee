/// The ready-made models as a library for FMUs.

#include <picus/fmu.hpp>
#include <picus/models/registry.hpp>

std::vector<picus::FmuModel> picus::fmu_models() {
  std::vector<FmuModel> models;
  for (const RegisteredModel& model : models::registry()) models.emplace_back(model);
  return models;
}
