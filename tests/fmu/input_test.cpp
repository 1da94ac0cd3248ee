#include <picus/archive.hpp>
#include <picus/error.hpp>
#include <picus/input.hpp>

#include <gtest/gtest.h>

namespace picus::input_test {
namespace {

TEST(Input, CopiesAreHandlesOfOneValue) {
  const Input input(1.5);
  const Input copy = input;
  EXPECT_EQ(copy.value(), 1.5);
  input.set(-2.0, 0.1);
  EXPECT_EQ(copy(0.0), -2.0);
  EXPECT_EQ(Input().value(), 0.0);
}

// The integral of values that are constant between the times at which they are set.
TEST(Input, SpeedIsIntegrated) {
  const Input input(2.0);
  const PrescribedMotion motion = input.speed();
  EXPECT_EQ(motion.displacement(0.5), 1.0);
  input.set(-1.0, 0.5);
  EXPECT_EQ(motion.displacement(0.5), 1.0);
  EXPECT_EQ(motion.displacement(1.5), 0.0);
  EXPECT_EQ(motion.rate(1.5), -1.0);
  EXPECT_EQ(motion.acceleration(1.5), 0.0);
  input.set(4.0, 1.5);
  input.set(8.0, 1.5);  // replaces the value before
  EXPECT_EQ(motion.displacement(1.75), 2.0);
}

TEST(Input, ArchivesHoldValueAndIntegral) {
  const Input input(2.0);
  input.set(3.0, 0.5);
  Archive written;
  input.serialize(written);
  const Input other;
  Archive read(written.bytes(), "the test");
  other.serialize(read);
  read.finish_reading();
  EXPECT_EQ(other.value(), 3.0);
  EXPECT_EQ(other.speed().displacement(1.5), 4.0);

  Archive empty(std::span<const std::byte>(), "the test");
  EXPECT_THROW(other.serialize(empty), FileError);
}

}  // namespace
}  // namespace picus::input_test
