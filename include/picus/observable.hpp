#pragma once

/// What an element can tell about itself beyond the motion of its nodes: joint coordinates, section forces,
/// strains, stresses. Optional, recorded in the results, never seen by a solver.

#include <picus/element.hpp>

#include <string>
#include <vector>

namespace picus {

/// One quantity that an element reports.
struct Quantity {
  std::string name;              ///< of its data set, such as "section_force"
  std::vector<Index> shape;      ///< empty: one number; {6}; {8, 6}: rows one after another
  std::string unit;              ///< separated by commas where components differ
  std::string description = {};  ///< what it is, in which axes

  /// Number of values.
  Index size() const {
    Index count = 1;
    for (const Index length : shape) count *= length;
    return count;
  }
};

/// The role of an element that reports quantities.
class Observable {
 public:
  virtual ~Observable() = default;
  /// The same for the life of the element; at least one.
  virtual std::vector<Quantity> quantities() const = 0;
  /// All quantities one after another. Allocates nothing.
  virtual void observe(const Motion& motion, std::span<double> values) const = 0;
};

}  // namespace picus
