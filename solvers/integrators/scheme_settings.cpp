#include <picus/error.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace picus {
namespace {

/// "; known to chen, hht and mixed"; empty if no scheme has it.
std::string describe_owners(std::string_view key) {
  std::vector<std::string_view> owners;
  for (const Scheme& scheme : schemes()) {
    if (std::ranges::any_of(scheme.options, [&](const SchemeOption& one) { return one.name == key; }))
      owners.push_back(scheme.name);
  }
  std::string sentence;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    sentence += i == 0 ? "; known to " : i + 1 < owners.size() ? ", " : " and ";
    sentence += owners[i];
  }
  return sentence;
}

}  // namespace

std::string_view scheme_name(std::string_view text) {
  return text.substr(0, text.find(':'));
}

SchemeSettings::SchemeSettings(std::string_view text, const std::vector<SchemeOption>& known)
    : scheme_(scheme_name(text)) {
  for (const SchemeOption& option : known) values_.push_back({&option, option.default_value});
  if (scheme_.size() == text.size()) return;

  std::string_view rest = text.substr(scheme_.size() + 1);
  while (true) {
    const std::string_view word = rest.substr(0, rest.find(','));
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    if (equals == std::string_view::npos || key.empty() || equals + 1 == word.size())
      throw OptionError(fmt::format("scheme \"{}\": \"{}\" is not KEY=VALUE", scheme_, word));
    const auto value =
        std::ranges::find_if(values_, [&](const Value& one) { return one.option->name == key; });
    if (value == values_.end()) {
      std::vector<std::string> names;
      for (const SchemeOption& option : known) names.push_back(option.name);
      const std::string owners = describe_owners(key);
      throw OptionError(fmt::format("scheme \"{}\" has no option \"{}\"{}", scheme_, key,
                                    owners.empty() ? suggestion(key, names) : owners));
    }
    if (value->is_set) throw OptionError(fmt::format("scheme \"{}\": {} is given twice", scheme_, key));
    value->is_set = true;
    value->text = word.substr(equals + 1);
    if (word.size() == rest.size()) return;
    rest.remove_prefix(word.size() + 1);
  }
}

const SchemeSettings::Value& SchemeSettings::find(std::string_view key) const {
  const auto value = std::ranges::find_if(values_, [&](const Value& one) { return one.option->name == key; });
  if (value == values_.end())
    throw std::logic_error(fmt::format("scheme \"{}\" does not declare its option {}", scheme_, key));
  return *value;
}

void SchemeSettings::refuse(const Value& value) const {
  throw OptionError(fmt::format("scheme \"{}\": {} is \"{}\", must be {}", scheme_, value.option->name,
                                value.text, value.option->allowed));
}

std::size_t SchemeSettings::choice(std::string_view key, std::span<const std::string_view> words) const {
  const Value& value = find(key);
  const auto word = std::ranges::find(words, value.text);
  if (word == words.end()) refuse(value);
  return static_cast<std::size_t>(word - words.begin());
}

void SchemeSettings::refuse_if_set(std::string_view key, std::string_view reason) const {
  const Value& value = find(key);
  if (value.is_set && value.text != value.option->default_value)
    throw OptionError(fmt::format("scheme \"{}\": {} has no meaning {}", scheme_, key, reason));
}

double SchemeSettings::real(std::string_view key, double low, double high) const {
  const Value& value = find(key);
  double number = 0;
  const char* end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, number);
  // Written so that NaN is refused.
  if (error != std::errc() || stop != end || !(number >= low && number <= high)) refuse(value);
  return number;
}

bool SchemeSettings::flag(std::string_view key) const {
  const Value& value = find(key);
  if (value.text != "yes" && value.text != "no") refuse(value);
  return value.text == "yes";
}

}  // namespace picus
