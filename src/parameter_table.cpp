#include <picus/parameter_table.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace picus {

std::string_view ParameterInfo::kind_name() const {
  switch (kind) {
    case ParameterKind::real:
      return "real";
    case ParameterKind::integer:
      return "integer";
    case ParameterKind::choice:
      return "choice";
    case ParameterKind::flag:
      return "flag";
  }
  return "";
}

std::string ParameterInfo::allowed() const {
  const bool is_number = kind == ParameterKind::real || kind == ParameterKind::integer;
  return is_number ? range.text() : fmt::format("{}", fmt::join(choices, ", "));
}

std::size_t find_parameter(std::string_view name, const std::vector<ParameterInfo>& infos,
                           std::string_view noun) {
  std::vector<std::string> names;
  for (const ParameterInfo& info : infos) {
    if (info.name == name) return names.size();
    names.push_back(info.name);
  }
  const std::string hint = suggestion(name, names);
  throw OptionError(fmt::format(
      "there is no {} \"{}\"{}", noun, name,
      hint.empty() && !names.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : hint));
}

}  // namespace picus
