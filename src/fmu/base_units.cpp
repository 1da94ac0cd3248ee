#include "base_units.hpp"

#include "../unit_text.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace picus::fmu {
namespace {

constexpr double pi = std::numbers::pi;

struct NamedUnit {
  std::string_view name;
  BaseUnit unit;
};

// Exponents of kg, m, s, A, K, mol, cd, rad.
constexpr std::array with_prefix = {NamedUnit{"m", {{0, 1}}},
                                    NamedUnit{"g", {{1}, 1e-3}},
                                    NamedUnit{"s", {{0, 0, 1}}},
                                    NamedUnit{"N", {{1, 1, -2}}},
                                    NamedUnit{"Pa", {{1, -1, -2}}},
                                    NamedUnit{"J", {{1, 2, -2}}},
                                    NamedUnit{"W", {{1, 2, -3}}},
                                    NamedUnit{"Hz", {{0, 0, -1}}},
                                    NamedUnit{"V", {{1, 2, -3, -1}}},
                                    NamedUnit{"A", {{0, 0, 0, 1}}},
                                    NamedUnit{"K", {{0, 0, 0, 0, 1}}},
                                    NamedUnit{"C", {{0, 0, 1, 1}}},
                                    NamedUnit{"F", {{-1, -2, 4, 2}}},
                                    NamedUnit{"H", {{1, 2, -2, -2}}},
                                    NamedUnit{"T", {{1, 0, -2, -1}}},
                                    NamedUnit{"Wb", {{1, 2, -2, -1}}},
                                    NamedUnit{"S", {{-1, -2, 3, 2}}},
                                    NamedUnit{"t", {{1}, 1e3}},
                                    NamedUnit{"eV", {{1, 2, -2}, 1.602176634e-19}},
                                    NamedUnit{"bar", {{1, -1, -2}, 1e5}},
                                    NamedUnit{"lx", {{0, -2, 0, 0, 0, 0, 1}}},
                                    NamedUnit{"rad", {{0, 0, 0, 0, 0, 0, 0, 1}}}};
constexpr std::array alone = {NamedUnit{"1", {}},
                              NamedUnit{"mol", {{0, 0, 0, 0, 0, 1}}},
                              NamedUnit{"cd", {{0, 0, 0, 0, 0, 0, 1}}},
                              NamedUnit{"Ohm", {{1, 2, -3, -2}}},
                              NamedUnit{"ohm", {{1, 2, -3, -2}}},
                              NamedUnit{"%", {{}, 0.01}},
                              NamedUnit{"deg", {{0, 0, 0, 0, 0, 0, 0, 1}, pi / 180}},
                              NamedUnit{"°", {{0, 0, 0, 0, 0, 0, 0, 1}, pi / 180}},
                              NamedUnit{"rev", {{0, 0, 0, 0, 0, 0, 0, 1}, 2 * pi}},
                              NamedUnit{"rpm", {{0, 0, -1, 0, 0, 0, 0, 1}, pi / 30}},
                              NamedUnit{"h", {{0, 0, 1}, 3600.0}},
                              NamedUnit{"min", {{0, 0, 1}, 60.0}},
                              NamedUnit{"d", {{0, 0, 1}, 86400.0}},
                              NamedUnit{"l", {{0, 3}, 1e-3}},
                              NamedUnit{"sr", {}}};
struct Prefix {
  std::string_view name;
  double factor;
};
constexpr std::array prefixes = {Prefix{"", 1.0},   Prefix{"k", 1e3},  Prefix{"M", 1e6},   Prefix{"G", 1e9},
                                 Prefix{"T", 1e12}, Prefix{"m", 1e-3}, Prefix{"u", 1e-6},  Prefix{"µ", 1e-6},
                                 Prefix{"n", 1e-9}, Prefix{"c", 1e-2}, Prefix{"da", 10.0}, Prefix{"d", 0.1}};

std::optional<BaseUnit> find_unit(std::string_view name) {
  for (const NamedUnit& known : alone) {
    if (name == known.name) return known.unit;
  }
  for (const Prefix& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) continue;
    for (const NamedUnit& known : with_prefix) {
      if (name.substr(prefix.name.size()) != known.name) continue;
      BaseUnit unit = known.unit;
      unit.factor *= prefix.factor;
      return unit;
    }
  }
  return std::nullopt;
}

/// One unit with its power: "s2", "s^-1".
std::optional<BaseUnit> read_factor(std::string_view text) {
  if (text == "1") return BaseUnit{};
  const std::size_t end = text.find_last_not_of("0123456789^-+");
  if (end == std::string_view::npos) return std::nullopt;
  std::optional<BaseUnit> unit = find_unit(text.substr(0, end + 1));
  std::string power(text.substr(end + 1));
  std::erase(power, '^');
  if (!unit || power.empty()) return unit;
  constexpr int highest = 9;  // no unit has more
  if (power.size() > 2 || power == "-" || power == "+") return std::nullopt;
  const int exponent = std::stoi(power);
  if (std::abs(exponent) > highest) return std::nullopt;
  for (int& one : unit->exponents) one *= exponent;
  unit->factor = std::pow(unit->factor, exponent);
  return unit;
}

void multiply(BaseUnit& product, const BaseUnit& factor, int power) {
  for (std::size_t i = 0; i < product.exponents.size(); ++i)
    product.exponents[i] += power * factor.exponents[i];
  product.factor *= power > 0 ? factor.factor : 1.0 / factor.factor;
}

/// Reads a product up to a closing parenthesis or the end.
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : rest_(text) {}

  std::optional<BaseUnit> read(bool is_inner = false) {
    BaseUnit product;
    int power = 1;
    bool was_divided = false;  // by the previous factor
    while (!rest_.empty()) {
      const char next = rest_.front();
      if (next == ')') return is_inner ? std::optional(product) : std::nullopt;
      if (next == ' ' || next == '*' || next == '/') {
        rest_.remove_prefix(1);
        if (next == '/') power = -1;
        if (next == '*') was_divided = false;
        continue;
      }
      if (was_divided && power > 0) return std::nullopt;  // "kg/m s" is ambiguous
      std::optional<BaseUnit> factor;
      if (next == '(') {
        rest_.remove_prefix(1);
        factor = read(true);
        if (!factor || rest_.empty()) return std::nullopt;
        rest_.remove_prefix(1);
      } else {
        const std::size_t end = std::min(rest_.find_first_of(" */()"), rest_.size());
        factor = read_factor(rest_.substr(0, end));
        rest_.remove_prefix(end);
      }
      if (!factor) return std::nullopt;
      multiply(product, *factor, power);
      was_divided = power < 0;
      power = 1;
    }
    return is_inner ? std::nullopt : std::optional(product);
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::optional<BaseUnit> base_unit(std::string_view text) {
  if (text == "degC") return BaseUnit{{0, 0, 0, 0, 1}, 1.0, 273.15};
  if (text.empty() || !detail::is_unit(text)) return std::nullopt;
  return UnitReader(text).read();
}

}  // namespace picus::fmu
