// Mutually exclusive clocks, and the profile of a run.

#include <picus/profile.hpp>
#include <picus/simulate.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace picus::support::profile_test {
namespace {

using testing::ElementsAre;

/// A clock that advances only on request.
double now = 0.0;
double read_clock() {
  return now;
}
void wait(double seconds) {
  now += seconds;
}

/// "position: evaluation 2 x, 3 s".
std::vector<std::string> texts(const Profile& profile) {
  std::vector<std::string> result;
  for (const Profile::Entry& entry : profile.entries()) {
    std::string text = entry.subproblem.empty() ? "" : entry.subproblem + ": ";
    text += std::string(name_of(entry.part)) + " " + std::to_string(entry.count) + " x, " +
            std::to_string(static_cast<int>(entry.seconds)) + " s";
    result.push_back(std::move(text));
  }
  return result;
}

TEST(Profile, CountsEachMomentOnce) {
  Profile profile(read_clock);
  wait(100);  // nothing is being timed
  {
    const Profile::Scope run(&profile, ProfilePart::rest);
    wait(1);
    for (int i = 0; i < 2; ++i) {
      const Profile::Scope solve(&profile, "position");
      wait(2);
      {
        const Profile::Scope evaluation(&profile, ProfilePart::evaluation);
        wait(3);
        const Profile::Scope again(&profile, ProfilePart::evaluation);
        wait(4);
      }
      wait(5);
    }
    const Profile::Scope recording(&profile, ProfilePart::recording);
    wait(6);
  }
  wait(100);
  EXPECT_THAT(texts(profile), ElementsAre("position: evaluation 2 x, 14 s", "position: rest 2 x, 14 s",
                                          "recording 1 x, 6 s", "rest 1 x, 1 s"));
  EXPECT_EQ(profile.seconds(), 35.0);
}

TEST(Profile, TellsWhatHasPassedOfARunningPart) {
  Profile profile(read_clock);
  const Profile::Scope run(&profile, ProfilePart::rest);
  const Profile::Scope recording(&profile, ProfilePart::recording);
  wait(2);
  EXPECT_THAT(texts(profile), ElementsAre("recording 1 x, 2 s", "rest 1 x, 0 s"));
}

TEST(Profile, GoesBackToThePartBeforeAnException) {
  Profile profile(read_clock);
  const Profile::Scope run(&profile, ProfilePart::rest);
  try {
    const Profile::Scope solve(&profile, "velocity");
    const Profile::Scope factorization(&profile, ProfilePart::factorization);
    wait(1);
    throw std::runtime_error("singular");
  } catch (const std::runtime_error&) {
    wait(2);
  }
  EXPECT_THAT(texts(profile),
              ElementsAre("velocity: factorisation 1 x, 1 s", "velocity: rest 1 x, 0 s", "rest 1 x, 2 s"));
}

TEST(Profile, OfNothingTimesNothing) {
  const Profile::Scope part(nullptr, ProfilePart::solution);
  const Profile::Scope subproblem(nullptr, "smooth");
  const Profile profile;
  EXPECT_TRUE(profile.entries().empty());
  EXPECT_EQ(profile.seconds(), 0.0);
}

/// Records the profile that it is shown.
class Witness : public Recorder {
 public:
  void begin(const RunInfo& run) override { profile = run.profile; }
  void record(const Snapshot& /*snapshot*/) override { wait(2); }
  void finish(const std::string& /*outcome*/) override {}
  const Profile* profile = nullptr;
};

TEST(Profile, OfARunIsToldByItsOptions) {
  const Model model = make_flying_model();
  FreeFlight flight({.step = 0.1});
  Profile profile(read_clock);
  Witness witness;
  simulate(model, flight, {.until = 1.0, .profile = &profile}, {&witness});
  EXPECT_EQ(witness.profile, &profile);
  // The start and ten steps are recorded; begin and finish are calls as well.
  EXPECT_THAT(texts(profile),
              ElementsAre("start 1 x, 0 s", "energies 10 x, 0 s", "recording 13 x, 22 s", "rest 1 x, 0 s"));
  simulate(model, flight, {.until = 1.0}, {&witness});
  EXPECT_EQ(witness.profile, nullptr);
}

}  // namespace
}  // namespace picus::support::profile_test
