#include <picus/error.hpp>
#include <picus/recorder.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus {

void Recorder::resume(const RunInfo& run, const Snapshot& /*last*/, Archive& archive) {
  begin(run);
  serialize(archive);
}

void check_recorders(std::span<Recorder* const> recorders, std::string_view owner) {
  for (std::size_t i = 0; i < recorders.size(); ++i) {
    if (recorders[i] == nullptr) throw OptionError(fmt::format("recorder {} of {} is null", i + 1, owner));
    const auto first = std::ranges::find(recorders, recorders[i]) - recorders.begin();
    if (first < static_cast<std::ptrdiff_t>(i))
      throw OptionError(fmt::format("recorder {} of {} is recorder {} again", i + 1, owner, first + 1));
  }
}

}  // namespace picus
