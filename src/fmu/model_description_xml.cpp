#include "model_description_xml.hpp"

#include "base_units.hpp"
#include <picus/version.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <set>

namespace picus::fmu {
namespace {

/// The text as the value of an attribute; control characters become blanks.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return result;
}

/// ` NAME="VALUE"`, empty for an empty value.
std::string attribute(std::string_view name, std::string_view value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, escaped(value));
}

std::string units_text(const std::vector<Variable>& variables) {
  std::set<std::string> units;
  for (const Variable& variable : variables) {
    if (!variable.unit.empty()) units.insert(variable.unit);
  }
  std::string text;
  for (const std::string& unit : units) {
    const std::optional<BaseUnit> base = base_unit(unit);
    if (!base) {
      text += fmt::format("    <Unit{}/>\n", attribute("name", unit));
      continue;
    }
    std::string exponents;
    for (std::size_t i = 0; i < base->exponents.size(); ++i) {
      if (base->exponents[i] != 0)
        exponents += fmt::format(" {}=\"{}\"", BaseUnit::names[i], base->exponents[i]);
    }
    if (base->factor != 1.0) exponents += attribute("factor", number_text(base->factor));
    if (base->offset != 0.0) exponents += attribute("offset", number_text(base->offset));
    text +=
        fmt::format("    <Unit{}>\n      <BaseUnit{}/>\n    </Unit>\n", attribute("name", unit), exponents);
  }
  return fmt::format("  <UnitDefinitions>\n{}  </UnitDefinitions>\n", text);
}

std::string_view element_of(VariableType type) {
  if (type == VariableType::float64) return "Float64";
  if (type == VariableType::int32) return "Int32";
  return type == VariableType::boolean ? "Boolean" : "String";
}

std::string_view causality_text(Causality causality) {
  if (causality == Causality::independent) return "independent";
  if (causality == Causality::parameter) return "parameter";
  return causality == Causality::input ? "input" : "output";
}

std::string variable_text(const Variable& variable, std::size_t reference) {
  const std::string_view element = element_of(variable.type);
  std::string text =
      fmt::format("    <{}{} valueReference=\"{}\"{} causality=\"{}\" variability=\"{}\"", element,
                  attribute("name", variable.name), reference, attribute("description", variable.meaning),
                  causality_text(variable.causality),
                  variable.causality == Causality::parameter ? "fixed" : "continuous");
  if (variable.causality == Causality::output) text += " initial=\"calculated\"";
  text += attribute("unit", variable.unit);
  if (variable.low) text += attribute("min", number_text(*variable.low));
  if (variable.high) text += attribute("max", number_text(*variable.high));
  if (variable.type == VariableType::string)
    return text + fmt::format(">\n      <Start value=\"{}\"/>\n    </String>\n", escaped(variable.start));
  if (variable.type == VariableType::boolean) {
    text += attribute("start", variable.start == "yes" ? "true" : "false");
  } else {
    text += attribute("start", variable.start);
  }
  return text + "/>\n";
}

}  // namespace

std::string model_description_xml(const ModelDescription& description) {
  std::string variables, outputs, unknowns;
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    variables += variable_text(description.variables[i], i);
    if (description.variables[i].causality != Causality::output) continue;
    // Outputs at a communication point are those at the end of the preceding step: there is no direct feedthrough of
    // inputs.
    outputs += fmt::format("    <Output valueReference=\"{}\" dependencies=\"\"/>\n", i);
    unknowns += fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", i);
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<fmiModelDescription fmiVersion=\"3.0\"{} instantiationToken=\"{}\"{} generationTool=\"Picus {}\" "
      "variableNamingConvention=\"flat\">\n",
      attribute("modelName", description.info.name), description.token,
      attribute("description", description.info.summary), version);
  text += fmt::format(
      "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\" "
      "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"/>\n",
      description.identifier);
  text += units_text(description.variables);
  text +=
      "  <LogCategories>\n"
      "    <Category name=\"logStatusWarning\" description=\"reasons to doubt the results\"/>\n"
      "    <Category name=\"logStatusError\" description=\"why a call has failed; always logged\"/>\n"
      "  </LogCategories>\n";
  text += fmt::format("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\" stepSize=\"{}\"/>\n",
                      number_text(description.until), description.step);
  text += fmt::format("  <ModelVariables>\n{}  </ModelVariables>\n", variables);
  text += fmt::format("  <ModelStructure>\n{}{}  </ModelStructure>\n", outputs, unknowns);
  return text + "</fmiModelDescription>\n";
}

std::string instantiation_token(std::string_view text) {
  // Two Fowler-Noll-Vo hashes with different initial values.
  const auto hash = [&](std::uint64_t value) {
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return value;
  };
  const std::uint64_t first = hash(0xcbf29ce484222325ULL);
  const std::uint64_t second = hash(0x84222325cbf29ce4ULL);
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", first >> 32U, first >> 16U & 0xffffU,
                     first & 0xffffU, second >> 48U, second & 0xffffffffffffULL);
}

}  // namespace picus::fmu
