/// A piecewise motion that is computed on demand: lookup, limited memory, and requests to stop.

#include <picus/models/references/followed_motion.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

using support::message_of;

/// Pieces of one second, each known by its number.
struct Front {
  double time = 0.0;
  int number = 0;
  bool has_ended = false;
};
struct Piece {
  double start;
  int number;
};

class FollowedMotionTest : public testing::Test {
 protected:
  int number_at(double t) { return motion.at(t, advance).number; }

  static constexpr double until = 1000.0;
  int steps = 0;
  std::atomic<bool> stop = false;
  std::function<Piece(Front&)> advance = [this](Front& front) {
    ++steps;
    const Piece piece{front.time, front.number};
    front.time += 1.0;
    ++front.number;
    front.has_ended = front.time >= until;
    return piece;
  };
  FollowedMotion<Front, Piece> motion{{}, 10, &stop};
};

TEST_F(FollowedMotionTest, TakesThePieceThatHasBegun) {
  EXPECT_EQ(number_at(0.0), 0);
  EXPECT_EQ(number_at(2.5), 2);
  EXPECT_EQ(number_at(3.0), 3) << "the right limit";
  EXPECT_EQ(number_at(-1.0), 0) << "the first one";
  EXPECT_EQ(number_at(1e9), 999) << "the last one goes on";
}

TEST_F(FollowedMotionTest, GoesNoFartherThanAskedFor) {
  number_at(7.5);
  EXPECT_EQ(steps, 8);
  number_at(7.9);
  EXPECT_EQ(steps, 8);
}

TEST_F(FollowedMotionTest, KeepsAFewPiecesAndFindsTheOthersAnew) {
  for (double t = 0.0; t < until; t += 0.5) {
    ASSERT_EQ(number_at(t), static_cast<int>(t));
    ASSERT_LE(motion.piece_count(), 10U);
  }
  EXPECT_EQ(steps, 1000);
  EXPECT_EQ(number_at(997.0), 997);
  EXPECT_EQ(steps, 1000) << "a piece that is kept";
  EXPECT_EQ(number_at(3.0), 3);
  EXPECT_EQ(steps, 1000 + 4) << "followed from the start";
  EXPECT_EQ(number_at(500.0), 500);
}

TEST_F(FollowedMotionTest, HearsARequestToStop) {
  number_at(2.0);
  stop = true;
  EXPECT_EQ(number_at(2.9), 2) << "nothing to follow";
  EXPECT_EQ(message_of<Interrupted>([&] { number_at(50.0); }), "interrupted at t = 50 s");
  const auto ignore = [](const Front&, const Front&) {};
  EXPECT_THROW(motion.visit_all(advance, ignore), Interrupted);
  EXPECT_THROW(motion.follow_until([](const Front&) { return false; }, advance), Interrupted);
}

TEST_F(FollowedMotionTest, VisitsAllPiecesOnce) {
  int visited = 0;
  motion.visit_all(advance, [&](const Front& before, const Front& after) {
    EXPECT_EQ(before.number, visited);
    EXPECT_EQ(after.number, ++visited);
  });
  EXPECT_EQ(visited, 1000);
  EXPECT_EQ(motion.piece_count(), 0U);
}

}  // namespace
}  // namespace picus::models
