#pragma once

/// Profiling of a run:
///
///     picus::Profile profile;
///     picus::simulate(model, integrator, {.until = 1.5, .profile = &profile}, {&recorder});
///     for (const auto& entry : profile.entries()) ...
///
/// Each moment of a run is attributed to exactly one part, so that the parts sum to the total.

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// The parts of a run, as timed by the thread that runs it.
enum class ProfilePart : std::uint8_t {
  start,           ///< the consistent start
  contact_search,  ///< detection of the contacts of a step, and the check for missed ones
  contact_change,  ///< set-up after the list of contacts has changed
  evaluation,      ///< residuals of sub-problems: forces, constraints and gaps of all elements, and their sum
  assembly,        ///< tangents of all elements, and their sum
  analysis,        ///< analysis of patterns: orderings, symbolic factorisations
  factorization,   ///< numeric factorisations of sub-problems
  solution,        ///< solution of linear systems
  contact_solver,  ///< solvers for the contacts alone: condensation, Gauss-Seidel sweeps, interior-point method
  energies,        ///< energies, work and the checks of a run
  recording,       ///< recorders and checkpoints
  rest,            ///< all else; in a sub-problem its initial guess and the updates of its unknowns
};
/// Number of parts.
inline constexpr std::size_t profile_parts = 12;

/// Name of a part: "evaluation", "contact search".
std::string_view name_of(ProfilePart part);

/// Time of a steady clock, s.
double steady_seconds();

/// The clocks of a run. Loops over elements are timed as a whole, by the thread that runs them.
class Profile {
 public:
  /// Seconds since some instant.
  using Clock = double (*)();
  /// With a clock other than wall time, e.g. processor time.
  explicit Profile(Clock clock = steady_seconds);
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  /// One part of the time spent in a sub-problem, or outside of sub-problems.
  struct Entry {
    std::string subproblem;  ///< its name in the scheme; empty outside of sub-problems
    ProfilePart part;        ///< what was timed
    /// Number of times it was entered: evaluations, factorisations; for the rest of a sub-problem the solves.
    std::int64_t count;
    double seconds;  ///< exclusive of nested parts
  };
  /// All parts entered, sub-problem by sub-problem, then those outside, the rest last.
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
  /// Attributes the time of its lifetime, exclusive of nested scopes, to a part. A scope nested in one of the same part
  /// has no effect.
  class Scope {
   public:
    /// Times a part of the sub-problem being solved, if any. If `profile` is null nothing is timed.
    Scope(Profile* profile, ProfilePart part) {
      if (profile != nullptr) profile->begin(*this, {profile->row(), part});
    }
    /// Times the rest of a sub-problem.
    Scope(Profile* profile, std::string_view subproblem) {
      if (profile != nullptr) profile->begin(*this, {profile->find_row(subproblem), ProfilePart::rest});
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    /// Resumes timing of the enclosing scope.
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
  std::deque<Row> rows_;  ///< the first is for time outside of sub-problems
  Place now_;
  double since_ = 0.0;
};

}  // namespace picus
