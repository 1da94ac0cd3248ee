#include "description.hpp"
#include "found_contacts.hpp"
#include "hdf5_recorder_check.hpp"
#include "hdf5_recorder_progress.hpp"
#include "observations.hpp"
#include "picture.hpp"
#include "recorded_run.hpp"
#include "recorded_sensors.hpp"
#include "selection.hpp"
#include "series.hpp"
#include <picus/hdf5_recorder.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace picus {
namespace {

using namespace results;  // NOLINT: the recorder is made of these
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point instant) {
  return std::chrono::duration<double>(Clock::now() - instant).count();
}

/// Estimated number of records of a run to its final time, too large by at most one or two.
double expected_records(const RunInfo& run, std::int64_t every) {
  return run.until / run.integrator.step_size() / static_cast<double>(every) + 2;
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

/// Removes the columns that satisfy `is_wanted`, and returns them.
template <class Predicate>
std::vector<Column> take(std::vector<Column>& columns, Predicate is_wanted) {
  const auto first = std::stable_partition(columns.begin(), columns.end(),
                                           [&](const Column& column) { return !is_wanted(column); });
  std::vector<Column> taken(std::make_move_iterator(first), std::make_move_iterator(columns.end()));
  columns.erase(first, columns.end());
  return taken;
}

bool any_name(const std::vector<std::string>& names, std::string_view pattern) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return matches(pattern, name); });
}

bool has_contact_sets(const System& system) {
  return !system.model().contact_sets().empty();
}

/// Ratio of impulses to forces, s; 1 s in a static analysis.
double seconds_of_impulses(const TimeIntegrator& integrator) {
  return integrator.is_static() ? 1.0 : integrator.step_size();
}

}  // namespace

/// A run that is being recorded.
struct Hdf5Recorder::Run {
  /// Resumes from `earlier` unless that is null.
  Run(const RunInfo& info, const std::filesystem::path& path, std::filesystem::path xdmf_path,
      const Options& run_options, const Progress* earlier)
      : options(run_options),
        system(info.system),
        search(info.search),
        profile(info.profile),
        seconds(seconds_of_impulses(info.integrator)),
        xdmf_file(std::move(xdmf_path)),
        observations(info.system) {
    const Model& model = system.model();
    std::vector<Column> columns = make_columns(system, seconds, info.integrator, options.energy_details);
    for (Column& column : make_sensor_columns(model)) columns.push_back(std::move(column));
    for (Column& column : make_found_columns(model)) columns.push_back(std::move(column));
    columns = choose(std::move(columns), options.include, options.exclude);
    std::vector<Column> of_sensors = take(columns, is_sensor_column);
    std::vector<Column> of_found =
        take(columns, [](const Column& column) { return column.contact_set >= 0; });
    for (Column& column : make_end_columns(model, of_found)) columns.push_back(std::move(column));
    columns.insert(columns.begin(), make_time_column(info.time_unit, "time", "records"));
    const std::vector<std::string> names = names_of(columns);
    picture.emplace(system, seconds, names);
    draws = options.xdmf && !picture->is_empty();
    if (draws && earlier == nullptr) refuse_existing_xdmf();
    needs_energies = any_name(names, "energy/*");
    needs_momentum = any_name(names, "momentum/*");
    needs_observations = any_name(names, "elements/*");

    warnings = info.integrator.warnings();
    title = model.name();
    file_name = path.filename().string();
    const double expected = expected_records(info, options.every);
    picture_stride = static_cast<std::int64_t>(std::ceil(expected / static_cast<double>(options.frames)));
    std::optional<RecordedRun> recorded;
    if (earlier != nullptr) recorded.emplace(path);
    file.emplace(path, options.overwrite || recorded);
    describe_run(*file, info, options);
    make_table(records, std::move(columns), expected);
    describe_contacts(*file, system, names);
    sensors.emplace(*file, info, std::move(of_sensors), options.compression);
    describe_features(*file, model, of_found);
    found.emplace(*file, system, seconds, std::move(of_found), options.compression);
    if (draws) {
      const double expected_frames = expected / static_cast<double>(picture_stride) + 1;
      std::vector<Column> of_pictures = picture->make_columns();
      Column& instants = of_pictures.front();
      instants = make_time_column(info.time_unit, instants.name, "pictures");
      make_table(pictures, std::move(of_pictures), expected_frames);
      frames.reserve(static_cast<std::size_t>(std::min(expected_frames, 1e5)));
      picture->describe(*file);
    }
    if (recorded) {
      resume(*recorded, *earlier);
      write_out(false);
      if (draws) write_xdmf();
    } else {
      if (draws) write_xdmf();
      publish();
    }
  }

  void make_table(std::optional<SeriesTable>& table, std::vector<Column> columns, double expected_rows) {
    const std::int64_t chunk_rows = choose_chunk_rows(columns, expected_rows);
    table.emplace(*file, std::move(columns), chunk_rows, options.compression);
  }

  void resume(const RecordedRun& recorded, const Progress& earlier) {
    resume(*records, recorded, earlier.records);
    const std::vector<SeriesTable*> tables = sensors->tables();
    if (tables.size() != earlier.sensors.size()) {
      recorded.refuse(fmt::format("it has {} sensors, this run {}", earlier.sensors.size(), tables.size()));
    }
    for (std::size_t i = 0; i < tables.size(); ++i) resume(*tables[i], recorded, earlier.sensors[i]);
    const std::vector<SeriesTable*> found_tables = found->tables();
    if (found_tables.size() != earlier.found.size()) {
      recorded.refuse(fmt::format("it has the contacts of {} contact sets, this run of {}",
                                  earlier.found.size(), found_tables.size()));
    }
    for (std::size_t i = 0; i < found_tables.size(); ++i)
      resume(*found_tables[i], recorded, earlier.found[i]);
    if (draws) {
      resume(*pictures, recorded, earlier.pictures);
      frames = recorded.times(picture->make_columns().front(), earlier.pictures.rows);
    }
    calls = earlier.calls;
    seen_step = earlier.seen_step;
    seen_time = earlier.seen_time;
    is_recorded = earlier.is_recorded;
    work = earlier.work;
    earlier_seconds = earlier.seconds;
    picture_stride = earlier.picture_stride;
    is_pictured = earlier.is_pictured;
  }

  static void resume(SeriesTable& table, const RecordedRun& recorded, const Progress::Table& earlier) {
    table.append(recorded, earlier.rows);
    if (table.last_row() != earlier.last_row)
      recorded.refuse(fmt::format("its record {} is not that of the checkpoint", earlier.rows));
  }

  Progress progress() {
    const auto of = [](const SeriesTable& table) { return Progress::Table{table.rows(), table.last_row()}; };
    std::vector<Progress::Table> of_sensors;
    for (const SeriesTable* const table : sensors->tables()) of_sensors.push_back(of(*table));
    std::vector<Progress::Table> of_found;
    for (const SeriesTable* const table : found->tables()) of_found.push_back(of(*table));
    return {calls,
            seen_step,
            seen_time,
            is_recorded,
            work,
            wall_seconds(),
            picture_stride,
            is_pictured,
            of(*records),
            draws ? of(*pictures) : Progress::Table{},
            std::move(of_sensors),
            has_contact_sets(system),
            std::move(of_found)};
  }

  double wall_seconds() const { return earlier_seconds + seconds_since(begun); }

  /// Publishes the HDF5 file, without which the XDMF file is useless.
  void publish() {
    try {
      write_out(false);
    } catch (...) {
      std::error_code ignored;
      if (draws) std::filesystem::remove(xdmf_file, ignored);
      throw;
    }
  }

  void refuse_existing_xdmf() const {
    std::error_code unreadable;  // reported when the file is opened
    if (!options.overwrite && std::filesystem::exists(xdmf_file, unreadable)) {
      throw FileError(
          fmt::format("file \"{}\" exists; allow overwriting (--force) to replace it", xdmf_file.string()));
    }
  }

  void record_step(const Snapshot& snapshot) {
    work.add(snapshot.report);
    state = &snapshot.state;
    audit = &snapshot.audit;
    rows = &snapshot.rows;
    seen_step = state->step;
    seen_time = state->time;
    is_recorded = is_pictured = false;
    if (draws) picture->add(*state);
    bool has_rows = sensors->record_step(reading(), sample());
    if (calls++ % options.every == 0) {
      record();
      has_rows = true;
    }
    if (has_rows) flush_when_due();
  }

  void record() {
    const bool is_due = draws && records->rows() % picture_stride == 0;
    if (needs_energies) energies = audit->energies(*state);
    if (needs_momentum) momentum = audit->momentum(*state);
    if (needs_observations) observations.evaluate(*state);
    found->record(sample());
    records->append(sample());
    if (is_due) draw();
    work = {};
    is_recorded = true;
  }

  void flush_when_due() {
    // A chunk that is just full should be written early: a partly filled one remains uncompressed.
    const double due = records->at_chunk_end() ? 0.5 * options.flush_seconds : options.flush_seconds;
    if (seconds_since(last_flush) >= due) flush();
  }

  /// To be called when observations are those of the state.
  void draw() {
    picture->evaluate(*state, rows->gaps);
    pictures->append(sample());
    frames.push_back(state->time);
    is_pictured = true;
  }

  Reading reading() const { return {system, *state, seconds}; }

  Sample sample() const {
    Sample sample{*state, *rows,    observations.values(), energies, work,
                  *audit, momentum, picture->contacts()};
    sample.found_counts = found->counts();
    return sample;
  }

  void flush() {
    const QuietHdf5 quiet;
    write_out(false);
    // The XDMF file is rewritten when the number of frames has doubled.
    constexpr double growth = 2.0;
    const bool has_grown = static_cast<double>(frames.size()) >= growth * static_cast<double>(frames_in_xdmf);
    if (draws && has_grown) write_xdmf();
    last_flush = Clock::now();
  }

  /// Writes all rows to disk.
  void write_out(bool is_last) {
    found->write_out(is_last);
    records->write_out(is_last);
    sensors->write_out(is_last);
    if (draws) {
      pictures->write_out(is_last);
      set_vtk_steps(*file, pictures->rows());
    }
    file->commit();
  }

  void write_xdmf() {
    replace_text_file(xdmf_file, picture->xdmf_text(title, file_name, frames, *pictures));
    frames_in_xdmf = frames.size();
  }

  /// Whether the state is still the one last recorded: a failure may have changed it.
  bool has_last_state() const {
    return state != nullptr && state->step == seen_step && state->time == seen_time;
  }

  void finish(const std::string& outcome) {
    const QuietHdf5 quiet;
    if (has_last_state()) {
      sensors->record_last(reading(), sample());
      if (!is_recorded) record();
      if (draws && !is_pictured) {
        if (needs_observations) observations.evaluate(*state);
        draw();
      }
    }
    write_out(true);
    if (draws) write_xdmf();
    file->set_attribute("", "outcome", outcome);
    file->set_attribute("", "steps", seen_step);
    file->set_attribute("", "wall_seconds", wall_seconds());
    if (search != nullptr && has_contact_sets(system)) describe_search(*file, *search);
    if (profile != nullptr) describe_profile(*file, *profile);
    if (outcome == "complete" && options.findings) describe_findings(*file, options.findings());
    records->close();
    sensors->close();
    found->close();
    if (draws) pictures->close();
    file->close();
  }

  Options options;
  const System& system;
  const SearchStatistics* search;
  const Profile* profile;
  double seconds;  ///< divisor of impulses, for forces
  std::filesystem::path xdmf_file;
  Clock::time_point begun = Clock::now();
  Clock::time_point last_flush = begun;
  double earlier_seconds = 0.0;  ///< wall time of earlier parts of the run
  std::optional<Picture> picture;
  bool draws = false;
  std::vector<std::string> warnings;  ///< warnings already in the file
  std::string title;
  std::string file_name;
  std::optional<Hdf5File> file;
  std::optional<SeriesTable> records;
  std::optional<SeriesTable> pictures;  ///< if it draws
  std::optional<RecordedSensors> sensors;
  std::optional<FoundContacts> found;
  std::int64_t picture_stride = 1;  ///< number of records between pictures
  std::vector<double> frames;       ///< instants of the pictures
  std::size_t frames_in_xdmf = 0;
  bool is_pictured = true;

  bool needs_energies = false;
  bool needs_momentum = false;
  bool needs_observations = false;
  Observations observations;
  Energies energies;
  Momentum momentum;
  SolverWork work;

  std::int64_t calls = 0;
  const State* state = nullptr;
  const EnergyAudit* audit = nullptr;
  const RowValues* rows = nullptr;
  std::int64_t seen_step = 0;
  double seen_time = 0.0;
  bool is_recorded = true;
  bool has_failed = false;
};

Hdf5Recorder::Hdf5Recorder(std::filesystem::path path, Options options)
    : path_(std::move(path)), options_(std::move(options)) {
  results::check_options(path_, options_);
}

Hdf5Recorder::~Hdf5Recorder() {
  try {
    abandon();
  } catch (const std::exception&) {  // cannot be reported any more
  }
}

std::filesystem::path Hdf5Recorder::xdmf_path() const {
  return std::filesystem::path(path_).replace_extension(".xdmf");
}

void Hdf5Recorder::abandon() {
  if (run_) {  // they may no longer exist
    run_->state = nullptr;
    run_->search = nullptr;
    run_->profile = nullptr;
  }
  finish("abandoned");
}

void Hdf5Recorder::begin(const RunInfo& run) {
  abandon();
  const QuietHdf5 quiet;
  run_ = std::make_unique<Run>(run, path_, xdmf_path(), options_, nullptr);
}

void Hdf5Recorder::resume(const RunInfo& run, const Snapshot& last, Archive& archive) {
  abandon();
  const QuietHdf5 quiet;
  Progress earlier;
  earlier.has_sets = has_contact_sets(run.system);
  archive(earlier);
  archive.require(earlier.fits(last.state));
  run_ = std::make_unique<Run>(run, path_, xdmf_path(), options_, &earlier);
  archive(*run_->picture, *run_->sensors);
  run_->state = &last.state;
  run_->audit = &last.audit;
  run_->rows = &last.rows;
}

template <class Action>
void Hdf5Recorder::attempt(const Action& action) {
  try {
    action();
  } catch (...) {
    run_->has_failed = true;
    throw;
  }
}

void Hdf5Recorder::flush() {
  if (run_) attempt([&] { run_->flush(); });
}

void Hdf5Recorder::serialize(Archive& archive) {
  if (!run_) return;
  flush();
  attempt([&] {
    Progress progress = run_->progress();
    archive(progress, *run_->picture, *run_->sensors);
  });
}

void Hdf5Recorder::record(const Snapshot& snapshot) {
  if (run_) attempt([&] { run_->record_step(snapshot); });
}

void Hdf5Recorder::warn(std::span<const std::string> warnings) {
  if (!run_ || run_->has_failed || warnings.empty()) return;
  const QuietHdf5 quiet;
  attempt([&] {
    run_->warnings.insert(run_->warnings.end(), warnings.begin(), warnings.end());
    run_->file->set_attribute("", "warnings", fmt::format("{}", fmt::join(run_->warnings, "\n")));
  });
}

void Hdf5Recorder::finish(const std::string& outcome) {
  if (!run_) return;
  const QuietHdf5 quiet;
  const std::unique_ptr<Run> run = std::move(run_);
  if (!run->has_failed) run->finish(outcome);
}

}  // namespace picus
