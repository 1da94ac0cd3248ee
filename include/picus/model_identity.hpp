#pragma once

/// What a model is known by: a number that no other model of the process has, and whether it is in use.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace picus {

/// It goes along when a model is moved; the model that is left behind is empty and gets another one. Each System holds a
/// use() of its model: as long as there is one, the model can be neither changed nor moved.
class ModelIdentity {
 public:
  /// Of a new model.
  explicit ModelIdentity(std::string name);
  /// Throws ModelError when the model is in use.
  ModelIdentity(ModelIdentity&& other);  // NOLINT: it may throw
  /// Throws ModelError when one of the two models is in use.
  ModelIdentity& operator=(ModelIdentity&& other);  // NOLINT
  ModelIdentity(const ModelIdentity&) = delete;
  ModelIdentity& operator=(const ModelIdentity&) = delete;
  ~ModelIdentity() = default;

  /// Node::model of its nodes.
  std::uint32_t number() const { return shared_->number; }
  /// Of the model.
  const std::string& name() const { return shared_->name; }
  /// Keeps the model in use as long as it, or a copy, lives.
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
