#pragma once

/// A load as a function of time: a constant or any callable.
///
///     .force = Vec3(0, -10, 0)
///     .force = {0, -10, 0}
///     .force = [](double t) { return Vec3(std::sin(t), 0, 0); }

#include <picus/types.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

namespace picus {

template <class Value>
class TimeFunction {
 public:
  /// No function; elements refuse it.
  TimeFunction() = default;

  // NOLINTBEGIN(google-explicit-constructor): a number or a lambda is such a function
  /// A constant.
  TimeFunction(const Value& value) : value_(value) {}

  /// A constant from its components.
  template <class... Components>
  requires(sizeof...(Components) > 1 && std::constructible_from<Value, Components...>)
      TimeFunction(Components... components)
      : value_(Value(components...)) {}

  /// A function of time in seconds. It must return the value itself: an Eigen expression would refer to operands that
  /// no longer exist.
  template <class F>
  requires(std::invocable<F&, double> && (std::same_as<std::invoke_result_t<F&, double>, Value> ||
                                          std::is_arithmetic_v<std::invoke_result_t<F&, double>>))
      TimeFunction(F function) {
    Function wrapped(std::move(function));
    if (wrapped) value_ = std::move(wrapped);
  }
  // NOLINTEND(google-explicit-constructor)

  /// Whether there is a function; false after default construction.
  bool is_given() const { return !std::holds_alternative<std::monostate>(value_); }

  /// The value at time t, s; throws std::bad_variant_access if none is given.
  Value operator()(double t) const {
    if (const Value* constant = std::get_if<Value>(&value_)) return *constant;
    return std::get<Function>(value_)(t);
  }

 private:
  using Function = std::function<Value(double)>;

  std::variant<std::monostate, Value, Function> value_;
};

}  // namespace picus
