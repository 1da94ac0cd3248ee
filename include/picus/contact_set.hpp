#pragma once

/// Contacts that are found while bodies move: which pairs are near each other changes from step to step. A model names the
/// sets (role ContactSet of an element); a run has a ContactSearch for each. Before a step the search lists the contacts that
/// the step may close, by keys; the step has these contacts and no others (stepper.hpp).

#include <picus/configuration.hpp>
#include <picus/contact_key.hpp>
#include <picus/element.hpp>
#include <picus/handle.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace picus {

class Model;

/// What finds the contacts of one set in one run.
class ContactSearch {
 public:
  virtual ~ContactSearch() = default;

  /// Throws ModelError for surfaces that are too deep in each other at q, where the run begins, for their contacts to push them
  /// apart.
  virtual void check_start(const Configuration& q) = 0;

  /// Appends the keys of contacts that are closed, or may close, in a step from q to about `end`, in any order and without
  /// repetition. `kept` are the keys of the step before, ascending, also those of other sets: of choices that are as good as
  /// each other the search takes one of them, so that contacts do not come and go. Depends on nothing but its arguments.
  virtual void find(const Configuration& q, const Configuration& end, std::span<const ContactKey> kept,
                    std::vector<ContactKey>& found) = 0;

  /// Appends the keys of contacts that a step which ended at q would have needed beside `present` (ascending): surfaces have passed
  /// each other there, deeper than rounding. Returns the largest of their depths, m; 0 if there are none.
  virtual double find_missed(const Configuration& q, std::span<const ContactKey> present,
                             std::vector<ContactKey>& missed) = 0;

  /// The contact of a key, which lives as long as the search. Throws ModelError for a key that the set does not have.
  virtual InRole<Contact> contact(const ContactKey& key) = 0;
};

/// Features that a set numbers one after another (ContactKey::a and b), up to the first of the next range.
struct FeatureRange {
  std::uint32_t first = 0;  ///< number of the first of them
  std::string surface;      ///< whose they are
  std::string
      feature;  ///< "vertex", "edge" or "face" of many; "bottom rim" and such of one; empty: all of the surface
};

/// Beside the roles: an element that names a set of surfaces between which contacts are found. It is const during a run, and so
/// are the surfaces; what a search remembers is its own.
class ContactSet {
 public:
  virtual ~ContactSet() = default;
  /// A search for one run of `model`, which outlives it; `place` is that of the set among Model::contact_sets().
  virtual std::unique_ptr<ContactSearch> make_search(const Model& model, std::uint32_t place) const = 0;
  /// Its parameters and those of its surfaces, so that a checkpoint knows a run with others (RunFingerprint).
  virtual std::vector<double> numbers(const Model& model) const = 0;
  /// What the numbers of features in its keys mean, ascending, for result files; empty: it does not say.
  virtual std::vector<FeatureRange> features(const Model& /*model*/) const { return {}; }
};

/// A contact that was found, with its key.
struct FoundContact {
  ContactKey key;           ///< of its set
  InRole<Contact> contact;  ///< as its search made it
};

}  // namespace picus
