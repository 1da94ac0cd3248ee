#include <picus/error.hpp>
#include <picus/step_callback.hpp>

#include <utility>

namespace picus {

StepCallback::StepCallback(std::function<void(const Snapshot&)> call) : call_(std::move(call)) {
  if (!call_) throw OptionError("a step callback needs a function to call");
}

}  // namespace picus
