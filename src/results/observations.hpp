#pragma once

/// What elements report of themselves (Observable), as columns "elements/NAME/QUANTITY".

#include "columns.hpp"

namespace picus::results {

/// A quantity of one element.
struct Observed {
  const Element* element;
  Quantity quantity;
  std::string path;  ///< of its data set, which it may share: "elements/beam/section_force"
  Index place;       ///< of its first number among the values of Observations
};
std::vector<Observed> observed_quantities(const Model& model);

/// Columns that are filled from Sample::observed.
void add_observation_columns(std::vector<Column>& columns, const Model& model);

/// The values of all observable elements, one after another.
class Observations {
 public:
  explicit Observations(const System& system);
  /// Asks all elements. Allocates nothing.
  void evaluate(const State& state);
  const Vector& values() const { return values_; }

 private:
  struct Reporter {
    const Element* element;
    const Observable* role;
    Index first, size;
  };
  std::vector<Reporter> reporters_;
  ElementLoop loop_;
  Vector values_;
};

}  // namespace picus::results
