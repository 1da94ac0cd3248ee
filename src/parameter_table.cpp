#include "unit_text.hpp"
#include <picus/parameter_table.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

namespace {

/// Throws OptionError for a default that is not a valid value.
void check_default(const ParameterInfo& parameter) {
  const std::string what = fmt::format("the default of parameter {}", parameter.name);
  switch (parameter.kind) {
    case ParameterKind::real:
      read_real(what, parameter.default_value, parameter.range);
      return;
    case ParameterKind::integer:
      read_integer(what, parameter.default_value, parameter.range);
      return;
    case ParameterKind::choice:
    case ParameterKind::flag:
      if (parameter.choices.empty())
        throw OptionError(fmt::format("parameter {} has no choices", parameter.name));
      if (std::ranges::find(parameter.choices, parameter.default_value) == parameter.choices.end())
        throw OptionError(fmt::format("the default of parameter {} is none of its choices", parameter.name));
  }
}

}  // namespace

bool is_typed_name(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

void check_parameters(const std::vector<ParameterInfo>& parameters) {
  for (auto one = parameters.begin(); one != parameters.end(); ++one) {
    if (!is_typed_name(one->name))
      throw OptionError(
          fmt::format("parameter \"{}\" cannot be typed: a name has letters, digits, '-', '_' "
                      "and '.'",
                      one->name));
    if (std::ranges::find(parameters.begin(), one, one->name, &ParameterInfo::name) != one)
      throw OptionError(fmt::format("parameter {} is there twice", one->name));
    if (!detail::is_unit(one->unit))
      throw OptionError(fmt::format("parameter {} has the unit \"{}\", which is none of the SI and its kin",
                                    one->name, one->unit));
    check_default(*one);
  }
}

namespace detail {
namespace {

/// Read-only access to a member of a struct.
template <class Member>
const Member& look(const AnyParameterTable::At<Member>& at, const void* whole) {
  return at(const_cast<void*>(whole));
}

}  // namespace

void AnyParameterTable::add(ParameterInfo info, Binding binding, const void* defaults) {
  info.default_value = binding.write(defaults);
  infos_.push_back(std::move(info));
  bindings_.push_back(std::move(binding));
}

void AnyParameterTable::add_real(ParameterInfo info, At<double> at, const void* defaults) {
  Binding binding;
  binding.read = [at, range = info.range](void* whole, std::string_view what, std::string_view text) {
    at(whole) = read_real(what, text, range);
  };
  binding.write = [at](const void* whole) { return number_text(look(at, whole)); };
  binding.number = [at](const void* whole) { return look(at, whole); };
  add(std::move(info), std::move(binding), defaults);
}

void AnyParameterTable::add_integer(ParameterInfo info, At<Index> at, const void* defaults) {
  Binding binding;
  binding.read = [at, range = info.range](void* whole, std::string_view what, std::string_view text) {
    at(whole) = read_integer(what, text, range);
  };
  binding.write = [at](const void* whole) { return std::to_string(look(at, whole)); };
  binding.number = [at](const void* whole) { return static_cast<double>(look(at, whole)); };
  add(std::move(info), std::move(binding), defaults);
}

void AnyParameterTable::add_choice(ParameterInfo info, Choice choice, const void* defaults) {
  Binding binding;
  binding.read = [set = std::move(choice.set), names = info.choices](void* whole, std::string_view what,
                                                                     std::string_view text) {
    set(whole, read_choice(what, text, names));
  };
  binding.write = [place = std::move(choice.place), names = info.choices](const void* whole) {
    const std::size_t i = place(whole);
    return i < names.size() ? names[i] : std::string();
  };
  add(std::move(info), std::move(binding), defaults);
}

void AnyParameterTable::add_part(const AnyParameterTable& part, const std::function<void*(void* whole)>& at,
                                 const void* defaults) {
  const auto look_at = [at](const void* whole) -> const void* { return at(const_cast<void*>(whole)); };
  for (std::size_t i = 0; i < part.bindings_.size(); ++i) {
    const Binding& inner = part.bindings_[i];
    Binding binding;
    binding.read = [at, read = inner.read](void* whole, std::string_view what, std::string_view text) {
      read(at(whole), what, text);
    };
    binding.write = [look_at, write = inner.write](const void* whole) { return write(look_at(whole)); };
    if (inner.number)
      binding.number = [look_at, number = inner.number](const void* whole) { return number(look_at(whole)); };
    add(part.infos_[i], std::move(binding), defaults);
  }
}

void AnyParameterTable::set_defaults(const void* defaults) {
  for (std::size_t i = 0; i < bindings_.size(); ++i) infos_[i].default_value = bindings_[i].write(defaults);
}

void AnyParameterTable::read(void* whole, std::span<const std::string> assignments,
                             const std::string& noun) const {
  std::vector<bool> set(bindings_.size(), false);
  for (const std::string& assignment : assignments) {
    const auto [name, value] = split_assignment(assignment);
    const std::size_t i = find_parameter(name, infos_, noun);
    const std::string what = noun + " " + name;
    if (set[i]) throw OptionError(fmt::format("{} is set twice", what));
    set[i] = true;
    bindings_[i].read(whole, what, value);
  }
}

void AnyParameterTable::require_valid(const void* whole) const {
  for (std::size_t i = 0; i < bindings_.size(); ++i) {
    if (bindings_[i].number) require_in_range(infos_[i].name, bindings_[i].number(whole), infos_[i].range);
  }
}

TextEntries AnyParameterTable::write(const void* whole) const {
  TextEntries entries;
  for (std::size_t i = 0; i < bindings_.size(); ++i)
    entries.emplace_back(infos_[i].name, bindings_[i].write(whole));
  return entries;
}

}  // namespace detail
}  // namespace picus
