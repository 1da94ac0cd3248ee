#pragma once

/// The text that chooses a scheme, NAME or NAME:KEY=VALUE,KEY=VALUE (as in "chen:projection=yes"), and the
/// values of its keys.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// A key that a scheme understands, for its help and to check what was typed.
struct SchemeOption {
  std::string name;
  std::string default_value;
  std::string allowed;  ///< e.g. "yes or no", "0 to 1"
  std::string meaning;  ///< one sentence
};

/// The part of the text before the colon.
std::string_view scheme_name(std::string_view text);

class SchemeSettings {
 public:
  /// Throws OptionError for a key that is unknown (it names its schemes or the nearest one), doubled, or without value.
  SchemeSettings(std::string_view text, const std::vector<SchemeOption>& known);

  /// The value typed or the default of a known key. Throw OptionError naming scheme and key when it is not a
  /// number in [low, high] or neither yes nor no, nor one of the words.
  double real(std::string_view key, double low, double high) const;
  bool flag(std::string_view key) const;
  /// Place of the value among `words`; the option's `allowed` should list them.
  std::size_t choice(std::string_view key, std::span<const std::string_view> words) const;
  std::size_t choice(std::string_view key, std::initializer_list<std::string_view> words) const {
    return choice(key, std::span(words.begin(), words.size()));
  }
  /// Whether the text sets the key; otherwise its default holds.
  bool is_set(std::string_view key) const { return find(key).is_set; }
  /// Throws OptionError, `scheme "NAME": KEY has no meaning REASON`, if the text sets the key to
  /// anything but its default.
  void refuse_if_set(std::string_view key, std::string_view reason) const;

 private:
  struct Value {
    const SchemeOption* option;
    std::string text;
    bool is_set = false;
  };
  const Value& find(std::string_view key) const;
  [[noreturn]] void refuse(const Value& value) const;

  std::string scheme_;
  std::vector<Value> values_;
};

}  // namespace picus
