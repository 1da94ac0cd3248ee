#include <picus/solvers/contact/impact.hpp>

#include <algorithm>

namespace picus::solvers {

double Impact::approach() const {
  double largest = 0.0;
  for (const ImpactContact& contact : contacts) largest = std::max(largest, -u_0[contact.first_row]);
  return largest;
}

}  // namespace picus::solvers
