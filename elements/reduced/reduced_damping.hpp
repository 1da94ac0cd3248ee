#pragma once

/// The damping of a ReducedBody, f_eta = -D etad with D of its basis.

#include <picus/elements/reduced/reduced_body.hpp>

namespace picus {

class ReducedDamping : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    const ReducedBody* body = nullptr;  ///< with at least one mode
  };
  ReducedDamping(const Parameters& parameters, const Model& model);

  Traits traits() const override { return {.depends_on_configuration = false}; }
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;

 private:
  std::shared_ptr<const ReducedBasis> basis_;
  std::vector<ScalarNode> coordinates_;
};

}  // namespace picus
