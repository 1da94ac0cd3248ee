#include <picus/recorder.hpp>

namespace picus {

void Recorder::resume(const RunInfo& run, const Snapshot& /*last*/, Archive& archive) {
  begin(run);
  serialize(archive);
}

}  // namespace picus
