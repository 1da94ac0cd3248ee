#include "observations.hpp"

#include "name_groups.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace picus::results {
namespace {

using Signature = std::vector<std::tuple<std::string, std::vector<Index>, std::string>>;

Signature signature_of(const std::vector<Quantity>& quantities) {
  Signature signature;
  for (const Quantity& quantity : quantities) {
    signature.emplace_back(quantity.name, quantity.shape, quantity.unit);
  }
  return signature;
}

Index size_of(const std::vector<Quantity>& quantities) {
  Index size = 0;
  for (const Quantity& quantity : quantities) size += quantity.size();
  return size;
}

/// Copies `count` entries of the observed values starting at each place.
auto copy_observed(std::vector<Index> places, Index count) {
  return [places = std::move(places), count](const Sample& sample, double* row) {
    for (const Index place : places) row = std::copy_n(sample.observed.data() + place, count, row);
  };
}

/// Elements that share their data sets.
struct ObservableGroup {
  NameGroup names;
  std::vector<Index> places;  ///< index of the first value of each element
  std::vector<Quantity> quantities;
};

std::string path_of(const ObservableGroup& group, const Quantity& quantity) {
  return "elements/" + group.names.name + "/" + quantity.name;
}

std::vector<ObservableGroup> observable_groups(const Model& model) {
  std::map<Signature, Index> known;
  std::vector<std::string> names;
  std::vector<Index> kinds, first;
  std::vector<std::vector<Quantity>> quantities;
  Index next = 0;
  for (const auto& [element, role] : model.observables()) {
    names.push_back(element->name());
    quantities.push_back(role->quantities());
    first.push_back(next);
    next += size_of(quantities.back());
    const auto number = count_of(known);
    kinds.push_back(known.try_emplace(signature_of(quantities.back()), number).first->second);
  }
  std::vector<ObservableGroup> groups;
  for (NameGroup& group : group_names(names, kinds)) {
    std::vector<Index> places;
    for (const Index i : group.members) places.push_back(first[i]);
    const auto& of_group = quantities[group.members.front()];
    groups.push_back({std::move(group), std::move(places), of_group});
  }
  return groups;
}

}  // namespace

std::vector<Observed> observed_quantities(const Model& model) {
  std::vector<Observed> result;
  for (const ObservableGroup& group : observable_groups(model)) {
    Index offset = 0;
    for (const Quantity& quantity : group.quantities) {
      const std::string path = path_of(group, quantity);
      for (std::size_t i = 0; i < group.places.size(); ++i) {
        const Element* const element = model.observables()[group.names.members[i]].element;
        result.push_back({element, quantity, path, group.places[i] + offset});
      }
      offset += quantity.size();
    }
  }
  return result;
}

void add_observation_columns(std::vector<Column>& columns, const Model& model) {
  for (const ObservableGroup& group : observable_groups(model)) {
    Index offset = 0;
    for (const Quantity& quantity : group.quantities) {
      std::vector<Index> places = group.places;
      for (Index& place : places) place += offset;
      offset += quantity.size();
      columns.push_back(make_column<double>(path_of(group, quantity), group.names.shape(quantity.shape),
                                            quantity.unit, quantity.description,
                                            copy_observed(std::move(places), quantity.size())));
    }
  }
}

Observations::Observations(const System& system) {
  Index next = 0;
  for (const auto& [element, role] : system.model().observables()) {
    reporters_.push_back({element, role, next, size_of(role->quantities())});
    next += reporters_.back().size;
  }
  values_ = Vector::Zero(next);
  loop_ = {system.threads(), reporters_};
}

void Observations::evaluate(const State& state) {
  values_.setZero();
  const Motion motion{state.q, state.v, state.time};
  loop_.for_each(0, reporters_.size(), [&](std::size_t i) {
    const Reporter& reporter = reporters_[i];
    reporter.role->observe(motion, std::span(values_.data() + reporter.first, reporter.size));
  });
}

}  // namespace picus::results
