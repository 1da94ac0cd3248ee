#include "../unit_text.hpp"
#include <picus/error.hpp>
#include <picus/fmu.hpp>

#include <fmt/format.h>

namespace picus {

FmuModel::FmuModel(const RegisteredModel& model)
    : model_(model),
      configure_([model](std::span<const std::string> assignments, std::span<const Input> /*values*/) {
        return model.configure(assignments);
      }) {}

void FmuModel::check() const {
  model_.check();
  const std::string& name = model_.info().name;
  if (!has_members_)
    throw ModelError(fmt::format("model \"{}\": an input has no member of the parameters", name));
  for (const FmuInputInfo& input : inputs_) {
    if (input.name.empty()) throw ModelError(fmt::format("model \"{}\": an input has no name", name));
    if (!detail::is_unit(input.unit)) {
      throw ModelError(
          fmt::format("model \"{}\": input \"{}\" has the unit \"{}\", which is none of the SI and its kin",
                      name, input.name, input.unit));
    }
  }
}

}  // namespace picus
