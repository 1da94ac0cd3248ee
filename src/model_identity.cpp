#include <picus/error.hpp>
#include <picus/model_identity.hpp>

#include <fmt/format.h>

#include <atomic>

namespace picus {
namespace {

/// Numbers from 1 on; 0 stands for no model.
std::uint32_t next_number() {
  static std::atomic<std::uint32_t> last{0};
  return ++last;
}

}  // namespace

ModelIdentity::ModelIdentity(std::string name)
    : shared_(std::make_shared<const Shared>(Shared{next_number(), std::move(name)})) {}

ModelIdentity::ModelIdentity(ModelIdentity&& other) : ModelIdentity(other.name()) {  // NOLINT: it may throw
  other.require_unused("it cannot be moved");
  shared_.swap(other.shared_);
}

ModelIdentity& ModelIdentity::operator=(ModelIdentity&& other) {  // NOLINT
  require_unused("it cannot be replaced");
  ModelIdentity moved(std::move(other));
  shared_.swap(moved.shared_);
  return *this;
}

void ModelIdentity::require_unused(std::string_view what) const {
  if (shared_.use_count() == 1) return;
  throw ModelError(
      fmt::format("{}: model \"{}\" is in use by a run or a System, and does not change until that has ended",
                  what, name()));
}

}  // namespace picus
