#pragma once

/// Parameters that a user sets by name, as in `mu=0.35`: typed, documented, checked against a range.
///
/// A model keeps its parameters in a plain struct P whose member initialisers are the defaults. A ParameterTable<P> gives each
/// member its name, range, unit and meaning, once; texts are read into a P and a P is written as texts through it.

#include <picus/error.hpp>
#include <picus/text_values.hpp>
#include <picus/time_integrator.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace picus {

/// What kind of value a parameter has.
enum class ParameterKind : std::uint8_t {
  real,     ///< a number
  integer,  ///< a whole number
  choice,   ///< one of several words
  flag,     ///< yes or no
};

/// What a user is told about a parameter.
struct ParameterInfo {
  std::string name{};                        ///< as typed
  ParameterKind kind = ParameterKind::real;  ///< of its value
  std::string default_value{};               ///< as text
  Range range{};                             ///< of a real or integer
  std::vector<std::string> choices{};        ///< of a choice or flag
  std::string unit{};                        ///< empty for a pure number
  std::string doc{};                         ///< its meaning

  /// "real", "integer", "choice" or "flag".
  std::string_view kind_name() const;
  /// The range or the choices as text.
  std::string allowed() const;
};

/// Place of the parameter of that name; throws OptionError that offers the nearest one. `noun` is what messages call it.
std::size_t find_parameter(std::string_view name, const std::vector<ParameterInfo>& infos,
                           std::string_view noun = "parameter");

/// The parameters of a struct P.
template <class P>
class ParameterTable {
 public:
  /// The defaults are the values in `defaults`.
  explicit ParameterTable(const P& defaults = {}) : defaults_(defaults) {}

  /// Adds a parameter whose default is the member's value in the defaults, and so do the next three.
  ParameterTable& real(const std::string& name, double P::*member, const Range& range,
                       const std::string& unit, const std::string& doc) {
    return add(
        {.name = name, .kind = ParameterKind::real, .range = range, .unit = unit, .doc = doc},
        [member, range](P& p, std::string_view what, std::string_view text) {
          p.*member = read_real(what, text, range);
        },
        [member](const P& p) { return number_text(p.*member); }, [member](const P& p) { return p.*member; });
  }
  /// A whole number.
  ParameterTable& integer(const std::string& name, Index P::*member, const Range& range,
                          const std::string& doc) {
    return add(
        {.name = name, .kind = ParameterKind::integer, .range = range, .doc = doc},
        [member, range](P& p, std::string_view what, std::string_view text) {
          p.*member = read_integer(what, text, range);
        },
        [member](const P& p) { return std::to_string(p.*member); },
        [member](const P& p) { return static_cast<double>(p.*member); });
  }
  /// "yes" or "no".
  ParameterTable& flag(const std::string& name, bool P::*member, const std::string& doc) {
    return choice(ParameterKind::flag, name, member, {{"no", false}, {"yes", true}}, doc);
  }
  /// One of several words, each with the value that it stands for.
  template <class E>
  ParameterTable& choice(const std::string& name, E P::*member,
                         std::vector<std::pair<std::string, E>> choices, const std::string& doc) {
    return choice(ParameterKind::choice, name, member, std::move(choices), doc);
  }
  /// All parameters of a member that is a struct with a table of its own.
  template <class Q>
  ParameterTable& part(Q P::*member, const ParameterTable<Q>& table) {
    for (std::size_t i = 0; i < table.bindings_.size(); ++i) {
      const auto& inner = table.bindings_[i];
      Binding binding{
          .read = [member, read = inner.read](P& p, std::string_view what,
                                              std::string_view text) { read(p.*member, what, text); },
          .write = [member, write = inner.write](const P& p) { return write(p.*member); },
          .number = {}};
      if (inner.number)
        binding.number = [member, number = inner.number](const P& p) { return number(p.*member); };
      add(table.infos_[i], std::move(binding));
    }
    return *this;
  }

  /// The same parameters with other defaults.
  ParameterTable with_defaults(const P& defaults) const {
    ParameterTable other = *this;
    other.defaults_ = defaults;
    for (std::size_t i = 0; i < bindings_.size(); ++i)
      other.infos_[i].default_value = bindings_[i].write(defaults);
    return other;
  }

  /// In the order in which they were added.
  const std::vector<ParameterInfo>& infos() const { return infos_; }

  /// The parameters after settings NAME=VALUE. Throws OptionError that names the culprit for an unknown name,
  /// a value of the wrong type or outside its range, and a parameter set twice. `noun` is what messages call a parameter.
  P read(std::span<const std::string> assignments, const std::string& noun = "parameter") const {
    P p = defaults_;
    std::vector<bool> set(bindings_.size(), false);
    for (const std::string& assignment : assignments) {
      const auto [name, value] = split_assignment(assignment);
      const std::size_t i = find_parameter(name, infos_, noun);
      const std::string what = noun + " " + name;
      if (set[i]) throw OptionError(what + " is set twice");
      set[i] = true;
      bindings_[i].read(p, what, value);
    }
    return p;
  }

  /// Throws OptionError, `NAME is VALUE, must ...`, for a number outside its range.
  void require_valid(const P& p) const {
    for (std::size_t i = 0; i < bindings_.size(); ++i) {
      if (bindings_[i].number) require_in_range(infos_[i].name, bindings_[i].number(p), infos_[i].range);
    }
  }

  /// Names and values as text.
  TextEntries write(const P& p) const {
    TextEntries entries;
    for (std::size_t i = 0; i < bindings_.size(); ++i)
      entries.emplace_back(infos_[i].name, bindings_[i].write(p));
    return entries;
  }

 private:
  template <class Whole>
  friend class ParameterTable;

  struct Binding {
    std::function<void(P&, std::string_view what, std::string_view text)> read;
    std::function<std::string(const P&)> write;
    std::function<double(const P&)> number;  ///< of a real or integer
  };

  ParameterTable& add(ParameterInfo info, Binding binding) {
    info.default_value = binding.write(defaults_);
    infos_.push_back(std::move(info));
    bindings_.push_back(std::move(binding));
    return *this;
  }

  template <class Read, class Write>
  ParameterTable& add(ParameterInfo info, Read read, Write write,
                      std::function<double(const P&)> number = {}) {
    return add(std::move(info), Binding{std::move(read), std::move(write), std::move(number)});
  }

  template <class E>
  ParameterTable& choice(ParameterKind kind, const std::string& name, E P::*member,
                         std::vector<std::pair<std::string, E>> choices, const std::string& doc) {
    std::vector<std::string> names;
    for (const auto& [text, value] : choices) names.push_back(text);
    return add(
        {.name = name, .kind = kind, .choices = names, .doc = doc},
        [member, choices, names](P& p, std::string_view what, std::string_view text) {
          p.*member = choices[read_choice(what, text, names)].second;
        },
        [member, choices](const P& p) {
          for (const auto& [text, value] : choices) {
            if (value == p.*member) return text;
          }
          return std::string{};
        });
  }

  P defaults_;
  std::vector<ParameterInfo> infos_;
  std::vector<Binding> bindings_;
};

}  // namespace picus
