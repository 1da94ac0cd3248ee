#include <picus/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace picus {
namespace {

using Names = std::vector<std::string>;

bool is_near(const std::string& name, const std::string& candidate) {
  return nearest_name(name, {candidate}) == candidate;
}

TEST(NearestName, FindsEachKindOfSingleEdit) {
  for (const char* typo : {"stifness", "stifffness", "stiffmess", "stiffnses", "tsiffness"}) {
    EXPECT_EQ(nearest_name(typo, {"damping", "stiffness", "length"}), "stiffness") << typo;
  }
}

TEST(NearestName, CountsASwapOfNeighboursAsOneEdit) {
  // Three letters allow one edit; without swaps it would take two.
  EXPECT_TRUE(is_near("bda", "bad"));
  EXPECT_TRUE(is_near("abd", "bad"));
  EXPECT_FALSE(is_near("dab", "bad"));
}

TEST(NearestName, LetsSwappedLettersBeEditedFurther) {
  // "ca" -> "ac" -> "abc" takes two edits, and "xyzwca" allows two; it would take three if edits between swapped
  // letters were not allowed.
  EXPECT_TRUE(is_near("xyzwca", "xyzwabc"));
  EXPECT_FALSE(is_near("xyzwc", "xyzwabc"));
}

TEST(NearestName, CountsTheLettersBetweenSwappedOnes) {
  EXPECT_FALSE(is_near("ca", "axxxc"));
  EXPECT_FALSE(is_near("cxxxa", "ac"));
}

TEST(NearestName, IgnoresCaseAndReturnsTheCandidateAsWritten) {
  EXPECT_EQ(nearest_name("YOUNGS_MODULUS", {"density", "Youngs_Modulus"}), "Youngs_Modulus");
  EXPECT_EQ(nearest_name("mAsSs", {"Mass"}), "Mass");
}

TEST(NearestName, AllowsAThirdOfTheLengthButAlwaysOneEdit) {
  EXPECT_TRUE(is_near("m", "n"));
  EXPECT_TRUE(is_near("ab", "ac"));
  EXPECT_FALSE(is_near("ab", "cd"));
  EXPECT_TRUE(is_near("abcde", "abcdx"));
  EXPECT_FALSE(is_near("abcde", "abcxy"));
  EXPECT_TRUE(is_near("abcdef", "abcdxy"));
  EXPECT_FALSE(is_near("abcdef", "abcxyz"));
  EXPECT_TRUE(is_near("abcdefghi", "abcdefxyz"));
}

TEST(NearestName, PrefersTheLeastDistanceThenTheFirst) {
  EXPECT_EQ(nearest_name("damping", {"dampers", "dampings", "damping"}), "damping");
  EXPECT_EQ(nearest_name("nodeX", {"node1", "node2"}), "node1");
  EXPECT_EQ(nearest_name("nodeX", {"node2", "node1"}), "node2");
}

TEST(NearestName, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("stiffness", {"mass", "inertia"}), "");
  EXPECT_EQ(nearest_name("stiffness", {}), "");
  EXPECT_EQ(nearest_name("", {"mass"}), "");
}

TEST(NearestName, TakesNamesOfAnyBytes) {
  EXPECT_EQ(nearest_name("d\xc3\xa4mpfun", {"d\xc3\xa4mpfung", "masse"}), "d\xc3\xa4mpfung");
}

TEST(NearestName, StaysNearUnderAnyEditsWithinTheBudget) {
  std::mt19937 random(7);
  const std::string original = "longitudinal_stiffness";
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  for (int sample = 0; sample < 2000; ++sample) {
    std::string name = original;
    for (int edit = 0; edit < 6; ++edit) {  // three of them swaps, so at least 19 letters remain
      const std::size_t at = pick(name.size() - 1);
      const char letter = static_cast<char>('a' + pick(26));
      switch (edit % 2 == 0 ? pick(3) : 3) {
        case 0:
          name[at] = letter;
          break;
        case 1:
          name.insert(at, 1, letter);
          break;
        case 2:
          name.erase(at, 1);
          break;
        default:
          std::swap(name[at], name[at + 1]);
      }
    }
    ASSERT_EQ(nearest_name(name, {original}), original) << name;
  }
}

TEST(Suggestion, QuotesTheNearestName) {
  EXPECT_EQ(suggestion("dampign", {"mass", "damping"}), " (did you mean \"damping\"?)");
}

TEST(Suggestion, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(suggestion("stiffness", {"mass"}), "");
  EXPECT_EQ(suggestion("stiffness", {}), "");
}

TEST(Errors, AreCaughtAsErrorAndKeepTheirMessage) {
  const auto message = [](auto thrower) -> std::string {
    try {
      thrower();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing thrown";
  };
  EXPECT_EQ(message([] { throw ModelError("model"); }), "model");
  EXPECT_EQ(message([] { throw OptionError("option"); }), "option");
  EXPECT_EQ(message([] { throw SolverError("solver"); }), "solver");
  EXPECT_EQ(message([] { throw FileError("file"); }), "file");
  EXPECT_EQ(message([] { throw Interrupted("stop"); }), "stop");
}

}  // namespace
}  // namespace picus
