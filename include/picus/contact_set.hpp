#pragma once

/// Contacts that are detected while bodies move: which pairs are near each other changes from step to step. A model
/// declares the sets (role ContactSet of an element); a run has a ContactSearch for each. Before a step the search
/// lists the keys of the contacts that may close in the step; the step has these contacts and no others (stepper.hpp).

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

/// Detects the contacts of one set in one run.
class ContactSearch {
 public:
  virtual ~ContactSearch() = default;

  /// Throws ModelError if surfaces penetrate each other at q, the start of the run, too deeply to be separated by their
  /// contacts.
  virtual void check_start(const Configuration& q) = 0;

  /// Appends the keys of contacts that are closed, or may close, in a step from q to approximately `end`, in any order
  /// and without repetition. `previous` are the keys of the previous step, ascending, including those of other sets:
  /// among equally good choices the search prefers one of these, so that contacts do not alternate. The result depends
  /// on the arguments only.
  virtual void find(const Configuration& q, const Configuration& end, std::span<const ContactKey> previous,
                    std::vector<ContactKey>& found) = 0;

  /// Appends the keys of contacts that a step which ended at q would have needed in addition to `present` (ascending):
  /// surfaces penetrate each other there by more than rounding error. Returns the largest penetration, m; 0 if there is
  /// none.
  virtual double find_undetected(const Configuration& q, std::span<const ContactKey> present,
                                 std::vector<ContactKey>& undetected) = 0;

  /// The contact with that key, valid as long as the search exists. Throws ModelError for a key that the set does not
  /// have.
  virtual InRole<Contact> contact(const ContactKey& key) = 0;
};

/// A range of consecutive feature numbers of a set (ContactKey::a and b), up to the first of the next range.
struct FeatureRange {
  std::uint32_t first = 0;  ///< first number of the range
  std::string surface;      ///< surface that has the features
  /// "vertex", "edge" or "face" for one of many, or the name of a single feature, such as "bottom rim"; empty: the
  /// whole surface.
  std::string feature;
};

/// A role beside the four of element.hpp: an element that defines a set of surfaces between which contacts are
/// detected. It is const during a run, and so are the surfaces; whatever varies is kept by the search.
class ContactSet {
 public:
  virtual ~ContactSet() = default;
  /// Throws ModelError if the set contradicts an earlier one of `model`. Called before a run, when all are known.
  virtual void check_among_others(const Model& /*model*/) const {}
  /// Creates the search for one run of `model`, which outlives it; `place` is the index of the set in
  /// Model::contact_sets().
  virtual std::unique_ptr<ContactSearch> make_search(const Model& model, std::uint32_t place) const = 0;
  /// Its parameters and those of its surfaces, by which a checkpoint recognises a run with different ones
  /// (RunFingerprint).
  virtual std::vector<double> numbers(const Model& model) const = 0;
  /// Meaning of the feature numbers in its keys, ascending, for result files; empty if not provided.
  virtual std::vector<FeatureRange> features(const Model& /*model*/) const { return {}; }
};

/// A detected contact with its key.
struct FoundContact {
  ContactKey key;           ///< in its set
  InRole<Contact> contact;  ///< as created by the search
};

}  // namespace picus
