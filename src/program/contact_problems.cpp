#include "contact_problems.hpp"

#include <picus/error.hpp>
#include <picus/solvers/analyses/step_contacts.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace picus::program {

void check_folder(const std::filesystem::path& folder) {
  std::error_code unknown;
  std::filesystem::path existing = folder;
  while (existing != "." && !std::filesystem::exists(existing, unknown))
    existing = existing.has_parent_path() ? existing.parent_path() : ".";
  const bool is_folder = std::filesystem::is_directory(existing, unknown);
  if (is_folder && ::access(existing.c_str(), W_OK | X_OK) == 0) return;
  throw FileError(fmt::format("cannot write to folder \"{}\": {}", folder.string(),
                              std::strerror(is_folder ? errno : ENOTDIR)));
}

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
