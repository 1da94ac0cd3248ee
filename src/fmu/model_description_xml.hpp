#pragma once

/// modelDescription.xml of FMI 3.0 (https://fmi-standard.org, section "FMI Description Schema").

#include "description.hpp"

#include <span>
#include <string>

namespace picus::fmu {

/// The content of the file.
struct ModelDescription {
  const ModelInfo& info;
  const std::string& identifier;
  const std::string& token;  ///< instantiationToken
  const std::string& step;   ///< recommended communication step, s
  double until;              ///< recommended end, s
  const std::vector<Variable>& variables;
};

std::string model_description_xml(const ModelDescription& description);

/// A token that depends on every character of the text.
std::string instantiation_token(std::string_view text);

}  // namespace picus::fmu
