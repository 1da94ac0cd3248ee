#pragma once

/// A load as a function of time: a constant or anything callable.
///
///     .force = Vec3(0, -10, 0)
///     .force = {0, -10, 0}
///     .force = [](double t) { return Vec3(std::sin(t), 0, 0); }

#include <picus/types.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace picus {

template <class Value>
class TimeFunction {
 public:
  /// Nothing; elements refuse it.
  TimeFunction() = default;

  /// A constant.
  TimeFunction(const Value& value)
      : constant_(value), kind_(Kind::constant) {}  // NOLINT: a value is a function

  /// A constant from its components.
  template <class... Components>
  requires(sizeof...(Components) > 1 && std::constructible_from<Value, Components...>)
      TimeFunction(Components... components)
      : TimeFunction(Value(components...)) {}  // NOLINT

  /// A function of time in seconds. It must return the value itself: an expression of vectors would refer to
  /// operands that are gone.
  template <class F>
  requires(std::invocable<F&, double> && (std::same_as<std::invoke_result_t<F&, double>, Value> ||
                                          std::is_arithmetic_v<std::invoke_result_t<F&, double>>))
      TimeFunction(F function)  // NOLINT
      : function_(std::move(function)), kind_(Kind::function) {
    if constexpr (requires(const F& f) { static_cast<bool>(f); }) {
      if (!static_cast<bool>(function_)) kind_ = Kind::missing;
    }
  }

  bool is_given() const { return kind_ != Kind::missing; }

  Value operator()(double t) const { return kind_ == Kind::constant ? constant_ : function_(t); }

 private:
  enum class Kind : std::uint8_t { missing, constant, function };

  Value constant_{};
  std::function<Value(double)> function_;
  Kind kind_ = Kind::missing;
};

}  // namespace picus
