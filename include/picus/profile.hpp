#pragma once

/// Where the time of a run goes:
///
///     picus::Profile profile;
///     picus::simulate(model, integrator, {.until = 1.5, .profile = &profile}, {&recorder});
///     for (const auto& entry : profile.entries()) ...
///
/// Each moment of a run is counted in exactly one part, so that the parts sum up to the whole.

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// What a run spends its time on, as seen by the thread that runs it.
enum class ProfilePart : std::uint8_t {
  start,           ///< the consistent start
  contact_search,  ///< which contacts a step has, and whether it lacked some
  contact_change,  ///< everything is built anew for another list of contacts
  evaluation,      ///< residuals of sub-problems: forces, equations and gaps of all elements, and their sum
  assembly,        ///< tangents of all elements, and their sum
  analysis,        ///< of patterns: orderings, symbolic factorisations
  factorization,   ///< numeric ones of sub-problems
  solution,        ///< of linear systems
  contact_solver,  ///< where contacts are solved for by themselves: condensation to them, sweeps, interior points
  energies,        ///< energies, works and what runs are watched for
  recording,       ///< recorders and checkpoints
  rest,            ///< all else; of a sub-problem its first guess and the updates of its unknowns
};
/// Number of parts.
inline constexpr std::size_t profile_parts = 12;

/// "evaluation", "contact search".
std::string_view name_of(ProfilePart part);

/// Seconds of a steady clock.
double steady_seconds();

/// The clocks of a run. Loops over elements are timed as a whole, by the thread that runs them.
class Profile {
 public:
  /// Seconds since some instant.
  using Clock = double (*)();
  /// With another clock than that of the wall, e.g. of the processor.
  explicit Profile(Clock clock = steady_seconds);
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  /// A part of the time of a sub-problem, or of the whole.
  struct Entry {
    std::string subproblem;  ///< as its scheme calls it; empty outside of sub-problems
    ProfilePart part;        ///< of its time
    /// How often it began: evaluations, factorisations; of the rest of a sub-problem its solves.
    std::int64_t count;
    double seconds;  ///< less those of parts within
  };
  /// All that have begun, sub-problem by sub-problem, then those outside, the rest at the end.
  std::vector<Entry> entries() const;
  /// The sum of all entries.
  double seconds() const;

 private:
  struct Row {
    std::string subproblem;
    std::array<std::int64_t, profile_parts> counts{};
    std::array<double, profile_parts> seconds{};
  };
  /// What is being timed; nothing if `row` is null.
  struct Place {
    Row* row = nullptr;
    ProfilePart part = ProfilePart::rest;
    bool operator==(const Place&) const = default;
  };

 public:
  /// Counts the time of its life, less that of scopes within it, in a part. One of the same part within another changes nothing.
  class Scope {
   public:
    /// A part of the sub-problem that is being solved, if there is one. `profile` may be null: nothing is timed.
    Scope(Profile* profile, ProfilePart part) {
      if (profile != nullptr) profile->begin(*this, {profile->row(), part});
    }
    /// The rest of a sub-problem.
    Scope(Profile* profile, std::string_view subproblem) {
      if (profile != nullptr) profile->begin(*this, {profile->find_row(subproblem), ProfilePart::rest});
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    /// Goes back to what was timed before it.
    ~Scope() {
      if (profile_ != nullptr) profile_->change(before_);
    }

   private:
    friend class Profile;
    Profile* profile_ = nullptr;
    Place before_;
  };

 private:
  Row* row() { return now_.row != nullptr ? now_.row : &rows_.front(); }
  Row* find_row(std::string_view subproblem);
  void begin(Scope& scope, Place place);
  void change(Place next);

  Clock clock_;
  std::deque<Row> rows_;  ///< first what is outside of sub-problems
  Place now_;
  double since_ = 0.0;
};

}  // namespace picus
