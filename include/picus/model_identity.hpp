#pragma once

/// The identity of a model: a number that is unique in the process, its name, and whether it is in use.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace picus {

/// It moves with the model; the empty model left behind gets a new one. Each System holds a use() of its model: as long
/// as one exists, the model can be neither changed nor moved.
class ModelIdentity {
 public:
  /// For a new model.
  explicit ModelIdentity(std::string name);
  /// Throws ModelError when the model is in use.
  ModelIdentity(ModelIdentity&& other);  // NOLINT: it may throw
  /// Throws ModelError when either model is in use.
  ModelIdentity& operator=(ModelIdentity&& other);  // NOLINT
  ModelIdentity(const ModelIdentity&) = delete;
  ModelIdentity& operator=(const ModelIdentity&) = delete;
  ~ModelIdentity() = default;

  /// Node::model of its nodes.
  std::uint32_t number() const { return shared_->number; }
  /// Name of the model.
  const std::string& name() const { return shared_->name; }
  /// Marks the model as in use as long as the pointer, or a copy of it, exists.
  std::shared_ptr<const void> use() const { return shared_; }
  /// Throws ModelError, `WHAT: model "NAME" is in use ...`, when the model is in use.
  void require_unused(std::string_view what) const;

 private:
  struct Shared {
    std::uint32_t number;
    std::string name;
  };
  std::shared_ptr<const Shared> shared_;  ///< never null
};

}  // namespace picus
