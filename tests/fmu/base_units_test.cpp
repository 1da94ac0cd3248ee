#include "../../src/fmu/base_units.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace picus::fmu::base_units_test {
namespace {

using Exponents = std::array<int, 8>;  // kg, m, s, A, K, mol, cd, rad

void expect_unit(std::string_view text, const Exponents& exponents, double factor) {
  const std::optional<BaseUnit> unit = base_unit(text);
  ASSERT_TRUE(unit.has_value()) << text;
  EXPECT_EQ(unit->exponents, exponents) << text;
  EXPECT_NEAR(unit->factor / factor, 1.0, 4e-16) << text;  // two roundings
}

TEST(BaseUnits, ProductsAndQuotients) {
  expect_unit("m", {0, 1}, 1.0);
  expect_unit("N m", {1, 2, -2}, 1.0);
  expect_unit("N m/rad", {1, 2, -2, 0, 0, 0, 0, -1}, 1.0);
  expect_unit("N s/m", {1, 0, -1}, 1.0);
  expect_unit("kg m2/s", {1, 2, -1}, 1.0);
  expect_unit("kg*m^2*s^-1", {1, 2, -1}, 1.0);
  expect_unit("1/s", {0, 0, -1}, 1.0);
  expect_unit("W/(m K)", {1, 1, -3, 0, -1}, 1.0);
  expect_unit("m/s/s", {0, 1, -2}, 1.0);
  expect_unit("1", {}, 1.0);
}

TEST(BaseUnits, Prefixes) {
  expect_unit("mm", {0, 1}, 1e-3);
  expect_unit("mm2", {0, 2}, 1e-6);
  expect_unit("g", {1}, 1e-3);
  expect_unit("kg", {1}, 1.0);
  expect_unit("GPa", {1, -1, -2}, 1e9);
  expect_unit("km/h", {0, 1, -1}, 1000.0 / 3600);
  expect_unit("deg", {0, 0, 0, 0, 0, 0, 0, 1}, M_PI / 180);
  expect_unit("rpm", {0, 0, -1, 0, 0, 0, 0, 1}, M_PI / 30);
  expect_unit("min", {0, 0, 1}, 60.0);
}

TEST(BaseUnits, Celsius) {
  const std::optional<BaseUnit> unit = base_unit("degC");
  ASSERT_TRUE(unit.has_value());
  EXPECT_EQ(unit->exponents, (Exponents{0, 0, 0, 0, 1}));
  EXPECT_EQ(unit->offset, 273.15);
}

TEST(BaseUnits, WhatIsNoProductOfBaseUnits) {
  for (const char* text : {"", "dB", "metre", "kg/m s", "degC/s", "W/(m K", "m)", "m-"})
    EXPECT_FALSE(base_unit(text).has_value()) << text;
}

}  // namespace
}  // namespace picus::fmu::base_units_test
