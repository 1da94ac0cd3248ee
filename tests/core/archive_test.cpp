#include <picus/archive.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace picus::support {
namespace {

struct Inner {
  std::optional<double> number;
  std::vector<std::string> texts;

  template <class A>
  void serialize(A& archive) {
    archive(number, texts);
  }
};

TEST(Archive, GivesBackWhatWasPutInBitForBit) {
  double zero = -0.0;
  double none = std::numeric_limits<double>::quiet_NaN();
  Vector vector = Vector::LinSpaced(5, 0.1, 0.7);
  Mat3 matrix = Mat3::Random();
  std::vector<ContactState> states = {ContactState::slip, ContactState::gap};
  std::array<std::pair<std::string, int>, 2> pairs = {{{"one", 1}, {"", -2}}};
  Inner inner{1.5, {"a", std::string("\0b", 2)}};
  Archive in;
  in(zero, none, vector, matrix, states, pairs, inner);

  double zero_2 = 1, none_2 = 1;
  Vector vector_2;
  Mat3 matrix_2;
  std::vector<ContactState> states_2(7);
  std::array<std::pair<std::string, int>, 2> pairs_2;
  Inner inner_2;
  Archive out(in.bytes(), "the test");
  out(zero_2, none_2, vector_2, matrix_2, states_2, pairs_2, inner_2);
  out.finish_reading();
  EXPECT_EQ(std::memcmp(&zero, &zero_2, sizeof(zero)), 0);
  EXPECT_EQ(std::memcmp(&none, &none_2, sizeof(none)), 0);
  EXPECT_EQ(vector_2, vector);
  EXPECT_EQ(matrix_2, matrix);
  EXPECT_EQ(states_2, states);
  EXPECT_EQ(pairs_2, pairs);
  EXPECT_EQ(inner_2.number, inner.number);
  EXPECT_EQ(inner_2.texts, inner.texts);
}

TEST(Archive, RefusesWhatDoesNotFit) {
  Archive in;
  Vector vector = Vector::Zero(4);
  in(vector);
  const std::string message = "what the checkpoint holds of the test does not fit";
  {
    Archive out(in.bytes(), "the test");
    EXPECT_EQ(message_of<FileError>([&] { out.finish_reading(); }), message);
    Vec3 other;
    EXPECT_EQ(message_of<FileError>([&] { out(other); }), message);
  }
  for (std::size_t size = 0; size < in.bytes().size(); ++size) {
    Archive out(std::span(in.bytes()).first(size), "the test");
    EXPECT_EQ(message_of<FileError>([&] { out(vector); }), message);
  }
  std::vector<std::byte> huge(8, std::byte{0xFF});  // the length of a string
  Archive out(huge, "the test");
  std::string text;
  EXPECT_EQ(message_of<FileError>([&] { out(text); }), message);
}

TEST(Archive, InPlaceRefusesOtherSizesAndNumbersThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto put_in, auto taken) {
    Archive in;
    in(put_in);
    Archive out(in.bytes(), "the test");
    return message_of<FileError>([&] { out.in_place(taken); });
  };
  const std::string message = "what the checkpoint holds of the test does not fit";
  EXPECT_EQ(refused(Vector(Vector::Zero(4)), Vector(Vector::Zero(3))), message);
  EXPECT_EQ(refused(Vector(Vector::Constant(3, nan)), Vector(Vector::Zero(3))), message);
  EXPECT_EQ(refused(std::vector<double>(2), std::vector<double>(3)), message);
  EXPECT_EQ(refused(std::vector<double>{1, nan}, std::vector<double>(2)), message);
  EXPECT_EQ(refused(std::vector<std::string>(2), std::vector<std::string>(1)), message);
  EXPECT_EQ(refused(nan, 0.0), message);

  Archive in;
  Vector values = Vector::Constant(3, 0.5);
  in.in_place(values);
  Vector taken = Vector::Zero(3);
  Archive out(in.bytes(), "the test");
  out.in_place(taken);
  EXPECT_EQ(taken, values);
  out.require(true);
  EXPECT_EQ(message_of<FileError>([&] { out.require(false); }), message);
}

TEST(Archive, TakesNoOtherByteForATruthValue) {
  Archive in;
  std::uint8_t two = 2;
  in(two);
  bool value = false;
  Archive out(in.bytes(), "the test");
  EXPECT_EQ(message_of<FileError>([&] { out(value); }), "what the checkpoint holds of the test does not fit");
}

TEST(Archive, AWrongCountTakesNoMemory) {
  // As many lists of strings as there are bytes after the count; the first one does not fit.
  Archive in;
  std::vector<std::byte> ones(1'000'000, std::byte{0xFF});
  in(ones);
  std::vector<std::vector<std::string>> lists;
  Archive out(in.bytes(), "the test");
  EXPECT_EQ(message_of<FileError>([&] { out(lists); }), "what the checkpoint holds of the test does not fit");
  EXPECT_LE(lists.capacity(), 2U);
}

}  // namespace
}  // namespace picus::support
