#pragma once

/// Quantities reported by elements (Observable), as columns "elements/NAME/QUANTITY".

#include "columns.hpp"

namespace picus::results {

/// A quantity of one element.
struct Observed {
  const Element* element;
  Quantity quantity;
  std::string path;  ///< path of its data set, which may be shared: "elements/beam/section_force"
  Index place;       ///< index of its first number in the values of Observations
};
std::vector<Observed> observed_quantities(const Model& model);

/// Adds columns that are filled from Sample::observed.
void add_observation_columns(std::vector<Column>& columns, const Model& model);

/// The values of all observable elements, one after another.
class Observations {
 public:
  explicit Observations(const System& system);
  /// Evaluates all elements. Allocates nothing.
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
