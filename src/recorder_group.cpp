#include "recorder_group.hpp"

#include "checkpoint_fit.hpp"
#include <picus/archive.hpp>

#include <fmt/format.h>

#include <utility>

namespace picus::detail {

RecorderGroup::RecorderGroup(std::span<Recorder* const> recorders, Profile* profile)
    : recorders_(recorders), profile_(profile) {
  check_recorders(recorders, "the run");
}

void RecorderGroup::begin(const RunInfo& run) {
  const Profile::Scope clock(profile_, ProfilePart::recording);
  for (Recorder* const recorder : recorders_) {
    recorder->begin(run);
    ++begun_;
  }
}

void RecorderGroup::resume(const RunInfo& run, const Snapshot& last, const Checkpoint& checkpoint) {
  const Profile::Scope clock(profile_, ProfilePart::recording);
  const std::vector<std::vector<std::byte>>& kept = checkpoint.recorders;
  for (std::size_t i = recorders_.size(); i < kept.size(); ++i) {
    if (!kept[i].empty()) refuse(checkpoint, fmt::format("recorder {} of the run is missing", i + 1));
  }
  for (Recorder* const recorder : recorders_) {
    if (begun_ < kept.size() && !kept[begun_].empty()) {
      Archive archive(kept[begun_], owner_text(checkpoint, fmt::format("recorder {}", begun_ + 1)));
      recorder->resume(run, last, archive);
      ++begun_;
      archive.finish_reading();
    } else {
      recorder->begin(run);
      ++begun_;
    }
  }
}

void RecorderGroup::record(const Snapshot& snapshot) {
  const Profile::Scope clock(profile_, ProfilePart::recording);
  for (Recorder* const recorder : recorders_) recorder->record(snapshot);
}

std::vector<std::vector<std::byte>> RecorderGroup::keep() {
  std::vector<std::vector<std::byte>> kept;
  for (Recorder* const recorder : recorders_) {
    Archive archive;
    recorder->serialize(archive);
    kept.push_back(archive.bytes());
  }
  return kept;
}

std::exception_ptr RecorderGroup::finish(const std::string& outcome, std::span<const std::string> warnings) {
  const Profile::Scope clock(profile_, ProfilePart::recording);
  std::exception_ptr failure;
  for (Recorder* const recorder : recorders_.first(std::exchange(begun_, 0))) {
    try {
      if (!warnings.empty()) recorder->warn(warnings);
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
    try {
      recorder->finish(outcome);
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
  return failure;
}

}  // namespace picus::detail
