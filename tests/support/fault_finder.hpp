#pragma once

#include <picus/element.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus::support {

/// Reports a fault at every attempt of a step whose number modulo 16 is in the pattern.
class FaultFinder : public Element, public Limited {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
    unsigned pattern = 0;  ///< bit i: attempt i of 16 is refused
  };
  FaultFinder(const Parameters& parameters, const Model& /*model*/)
      : Element(parameters.name, {parameters.node}), pattern_(parameters.pattern) {}

  std::string fault(const Configuration& /*q*/) const override {
    return (pattern_ >> (attempts_++ % 16) & 1U) != 0 ? "is asked to fail" : "";
  }

 private:
  unsigned pattern_;
  mutable unsigned attempts_ = 0;
};

}  // namespace picus::support
