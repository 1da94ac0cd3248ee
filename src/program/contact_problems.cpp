#include "contact_problems.hpp"

#include <picus/error.hpp>
#include <picus/solvers/analyses/step_contacts.hpp>

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace picus::program {

ContactProblemFiles::ContactProblemFiles(std::filesystem::path folder, std::int64_t every, bool overwrite)
    : folder_(std::move(folder)), every_(every), overwrite_(overwrite) {}

void ContactProblemFiles::begin(const RunInfo& run) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw FileError(fmt::format("cannot make folder \"{}\": {}", folder_.string(), error.message()));
  h_ = run.integrator.step_size();
}

void ContactProblemFiles::record(const Snapshot& snapshot) {
  if (snapshot.state.step % every_ != 0) return;
  const StepContacts contacts = find_step_contacts(snapshot.system, snapshot.state, h_);
  if (contacts.indices.empty()) return;
  write_friction_problem(folder_ / fmt::format("step_{:06}.hdf5", snapshot.state.step), contacts.problem,
                         overwrite_);
}

}  // namespace picus::program
