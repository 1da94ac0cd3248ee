#pragma once

/// Parameters that a user sets by name, as in `mu=0.35`: with a type, a description and a range.
///
/// A model keeps its parameters in a plain struct P whose member initialisers are the defaults. A ParameterTable<P>
/// defines name, range, unit and meaning of each member in one place; it reads texts into a P and writes a P as texts.

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

/// The type of a parameter.
enum class ParameterKind : std::uint8_t {
  real,     ///< a number
  integer,  ///< an integer
  choice,   ///< one of several words
  flag,     ///< yes or no
};

/// Description of a parameter for the user.
struct ParameterInfo {
  std::string name{};                        ///< as typed by the user
  ParameterKind kind = ParameterKind::real;  ///< type of its value
  std::string default_value{};               ///< default as text
  Range range{};                             ///< allowed range of a real or integer
  std::vector<std::string> choices{};        ///< allowed words of a choice or flag
  std::string unit{};                        ///< empty for a pure number
  std::string doc{};                         ///< description

  /// "real", "integer", "choice" or "flag".
  std::string_view kind_name() const;
  /// The range or the choices as text.
  std::string allowed() const;
};

/// Index of the parameter of that name; throws OptionError with the nearest name if there is none. `noun` is the word
/// for a parameter in messages.
std::size_t find_parameter(std::string_view name, const std::vector<ParameterInfo>& infos,
                           std::string_view noun = "parameter");

/// Whether `text` is valid as a name: one or more letters, digits, '-', '_' and '.', the first not a '-'.
bool is_typed_name(std::string_view text);

/// Throws OptionError for an invalid definition: a name that is not valid or occurs twice, an invalid unit, a default
/// that is outside its range or not among its choices.
void check_parameters(const std::vector<ParameterInfo>& parameters);

/// Implementation details of headers.
namespace detail {

/// A type-erased ParameterTable, which is compiled once.
class AnyParameterTable {
 public:
  /// Accesses the member of a struct.
  template <class Member>
  using At = std::function<Member&(void* whole)>;
  /// Access to a member of any type as one of several choices, by index.
  struct Choice {
    std::function<void(void* whole, std::size_t place)> set;  ///< sets the member to a choice
    std::function<std::size_t(const void* whole)> place;      ///< index of its choice; if none, their number
  };

  /// Adds a real parameter. As in the next three functions, its default is the value of the member in the
  /// struct `defaults`.
  void add_real(ParameterInfo info, At<double> at, const void* defaults);
  /// Adds an integer.
  void add_integer(ParameterInfo info, At<Index> at, const void* defaults);
  /// Adds a choice among those in `info`.
  void add_choice(ParameterInfo info, Choice choice, const void* defaults);
  /// Adds all parameters of the table of a member that is a struct.
  void add_part(const AnyParameterTable& part, const std::function<void*(void* whole)>& at,
                const void* defaults);

  /// Replaces the defaults.
  void set_defaults(const void* defaults);
  /// In the order in which they were added.
  const std::vector<ParameterInfo>& infos() const { return infos_; }
  /// ParameterTable::read, starting from the values of `whole`.
  void read(void* whole, std::span<const std::string> assignments, const std::string& noun) const;
  /// ParameterTable::require_valid.
  void require_valid(const void* whole) const;
  /// ParameterTable::write.
  TextEntries write(const void* whole) const;

 private:
  struct Binding {
    std::function<void(void* whole, std::string_view what, std::string_view text)> read;
    std::function<std::string(const void* whole)> write;
    std::function<double(const void* whole)> number;  ///< value of a real or integer
  };
  void add(ParameterInfo info, Binding binding, const void* defaults);

  std::vector<ParameterInfo> infos_;
  std::vector<Binding> bindings_;
};

}  // namespace detail

/// The parameters of a struct P.
template <class P>
class ParameterTable {
 public:
  /// The defaults are the values in `defaults`.
  explicit ParameterTable(const P& defaults = {}) : defaults_(defaults) {}

  /// Adds a real parameter. As in the next three functions, its default is the member's value in the defaults.
  ParameterTable& real(const std::string& name, double P::*member, const Range& range,
                       const std::string& unit, const std::string& doc) {
    any_.add_real({.name = name, .kind = ParameterKind::real, .range = range, .unit = unit, .doc = doc},
                  at(member), &defaults_);
    return *this;
  }
  /// Adds an integer.
  ParameterTable& integer(const std::string& name, Index P::*member, const Range& range,
                          const std::string& doc) {
    any_.add_integer({.name = name, .kind = ParameterKind::integer, .range = range, .doc = doc}, at(member),
                     &defaults_);
    return *this;
  }
  /// Adds a flag, "yes" or "no".
  ParameterTable& flag(const std::string& name, bool P::*member, const std::string& doc) {
    return choice(ParameterKind::flag, name, member, {{"no", false}, {"yes", true}}, doc);
  }
  /// Adds a choice of several words, each with the value that it stands for.
  template <class E>
  ParameterTable& choice(const std::string& name, E P::*member,
                         std::vector<std::pair<std::string, E>> choices, const std::string& doc) {
    return choice(ParameterKind::choice, name, member, std::move(choices), doc);
  }
  /// Adds all parameters of a member that is a struct with a table of its own.
  template <class Q>
  ParameterTable& part(Q P::*member, const ParameterTable<Q>& table) {
    any_.add_part(
        table.any_, [member](void* whole) -> void* { return &(static_cast<P*>(whole)->*member); },
        &defaults_);
    return *this;
  }

  /// The same parameters with other defaults.
  ParameterTable with_defaults(const P& defaults) const {
    ParameterTable other = *this;
    other.defaults_ = defaults;
    other.any_.set_defaults(&defaults);
    return other;
  }

  /// In the order in which they were added.
  const std::vector<ParameterInfo>& infos() const { return any_.infos(); }

  /// The defaults modified by settings NAME=VALUE. Throws OptionError for an unknown name, a value of the wrong type or
  /// outside its range, and a parameter set twice; the message names it. `noun` is the word for a parameter in
  /// messages.
  P read(std::span<const std::string> assignments, const std::string& noun = "parameter") const {
    P p = defaults_;
    any_.read(&p, assignments, noun);
    return p;
  }

  /// Throws OptionError, `NAME is VALUE, must ...`, for a number outside its range.
  void require_valid(const P& p) const { any_.require_valid(&p); }

  /// Names and values as text.
  TextEntries write(const P& p) const { return any_.write(&p); }

 private:
  template <class Whole>
  friend class ParameterTable;

  template <class Member>
  static auto at(Member P::*member) {
    return [member](void* whole) -> Member& { return static_cast<P*>(whole)->*member; };
  }

  template <class E>
  ParameterTable& choice(ParameterKind kind, const std::string& name, E P::*member,
                         std::vector<std::pair<std::string, E>> choices, const std::string& doc) {
    ParameterInfo info{.name = name, .kind = kind, .choices = {}, .doc = doc};
    std::vector<E> values;
    for (auto& [text, value] : choices) {
      info.choices.push_back(std::move(text));
      values.push_back(value);
    }
    const auto set = [member, values](void* whole, std::size_t place) {
      static_cast<P*>(whole)->*member = values[place];
    };
    const auto place = [member, values](const void* whole) {
      std::size_t i = 0;
      while (i < values.size() && !(values[i] == static_cast<const P*>(whole)->*member)) ++i;
      return i;
    };
    any_.add_choice(std::move(info), {set, place}, &defaults_);
    return *this;
  }

  P defaults_;
  detail::AnyParameterTable any_;
};

}  // namespace picus
