/// The functions of FMI 3.0 that the library of an FMU exports. No exception propagates to the caller: those of Picus
/// become a log message and the status fmi3Error.

#include "../crc32.hpp"
#include "../readable_file.hpp"
#include "fmi3_call.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>

namespace picus::fmu {
namespace {

template <class T>
std::span<T> array(T* values, std::size_t count) {
  if (values == nullptr && count > 0) throw OptionError("an array of the importer is missing");
  return {values, count};
}
template <class T>
T& target(T* value) {
  return array(value, 1).front();
}

template <class T>
fmi3Status get(fmi3Instance instance, const fmi3ValueReference* references, std::size_t reference_count,
               T* values, std::size_t count) noexcept {
  return call(instance,
              [&](Instance& own) { own.get(array(references, reference_count), array(values, count)); });
}
template <class T>
fmi3Status set(fmi3Instance instance, const fmi3ValueReference* references, std::size_t reference_count,
               const T* values, std::size_t count) noexcept {
  return call(instance,
              [&](Instance& own) { own.set(array(references, reference_count), array(values, count)); });
}

std::string read_setup_file(fmi3String resource_path) {
  if (resource_path == nullptr) throw OptionError("the path of the resources is missing");
  const std::filesystem::path file = std::filesystem::path(resource_path) / setup_file;
  const std::string reason = detail::why_unreadable(file);
  std::ifstream stream(file, std::ios::binary);
  if (!reason.empty() || !stream)
    throw FileError(fmt::format("resource \"{}\" of the FMU cannot be read: {}", file.string(), reason));
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::unique_ptr<Instance> instantiate(fmi3String token, fmi3String resource_path, bool logging_on, Log log) {
  auto description =
      std::make_shared<const Description>(fmu_models(), read_setup(read_setup_file(resource_path)));
  if (token == nullptr || description->token() != token)
    throw OptionError(fmt::format("the instantiation token is {}, that of the FMU {}",
                                  token == nullptr ? "missing" : token, description->token()));
  auto instance = std::make_unique<Instance>(std::move(description), std::move(log));
  instance->set_logging(logging_on, {});
  return instance;
}

/// A saved state of the instance by its address.
auto find_state(Instance& instance, fmi3FMUState state) {
  auto& states = instance.saved_states();
  const auto found =
      std::ranges::find(states, state, [](const auto& one) -> fmi3FMUState { return one.get(); });
  if (found == states.end()) throw OptionError("there is no such FMU state");
  return found;
}

// A serialised state: the bytes of the state and their checksum.
using Checksum = std::uint32_t;

}  // namespace
}  // namespace picus::fmu

using namespace picus::fmu;

extern "C" {
#pragma GCC visibility push(default)

const char* fmi3GetVersion() {
  return "3.0";
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean logging_on, std::size_t count,
                               const fmi3String* categories) {
  return call(instance, [&](Instance& own) { own.set_logging(logging_on, array(categories, count)); });
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String /*name*/, fmi3String token, fmi3String resource_path,
                                         fmi3Boolean /*visible*/, fmi3Boolean logging_on,
                                         fmi3Boolean event_mode_used, fmi3Boolean /*early_return_allowed*/,
                                         const fmi3ValueReference* /*required_intermediate_variables*/,
                                         std::size_t intermediate_variable_count,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log_message,
                                         fmi3IntermediateUpdateCallback /*intermediate_update*/) {
  std::unique_ptr<Instance> instance;
  const auto create = [&] {
    if (event_mode_used) throw picus::OptionError("the FMU has no event mode");
    if (intermediate_variable_count > 0) throw picus::OptionError("the FMU has no intermediate variables");
    instance = instantiate(token, resource_path, logging_on, [=](LogLevel level, const std::string& text) {
      send(log_message, environment, level, text);
    });
  };
  succeeds(create, [&](const char* text) { send(log_message, environment, LogLevel::error, text); });
  return instance.release();
}

void fmi3FreeInstance(fmi3Instance instance) {
  delete static_cast<Instance*>(instance);  // NOLINT(cppcoreguidelines-owning-memory): the importer owns it
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean /*tolerance_defined*/,
                                       fmi3Float64 /*tolerance*/, fmi3Float64 start_time,
                                       fmi3Boolean stop_time_defined, fmi3Float64 stop_time) {
  return call(instance, [&](Instance& own) {
    own.enter_initialization(start_time, stop_time_defined ? std::optional(stop_time) : std::nullopt);
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return call(instance, [](Instance& own) { own.exit_initialization(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return call(instance, [](Instance& own) { own.terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return call(instance, [](Instance& own) { own.reset(); });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 point, fmi3Float64 step_size,
                      fmi3Boolean /*no_set_state_before*/, fmi3Boolean* event_handling_needed,
                      fmi3Boolean* terminate_simulation, fmi3Boolean* early_return, fmi3Float64* last_time) {
  return call(instance, [&](Instance& own) {
    target(event_handling_needed) = false;
    target(terminate_simulation) = false;
    target(early_return) = false;
    target(last_time) = own.time();
    own.do_step(point, step_size);
    *last_time = own.time();
  });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference* references,
                          std::size_t reference_count, fmi3Float64* values, std::size_t count) {
  return get(instance, references, reference_count, values, count);
}
fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference* references,
                          std::size_t reference_count, const fmi3Float64* values, std::size_t count) {
  return set(instance, references, reference_count, values, count);
}
fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference* references,
                        std::size_t reference_count, fmi3Int32* values, std::size_t count) {
  return get(instance, references, reference_count, values, count);
}
fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference* references,
                        std::size_t reference_count, const fmi3Int32* values, std::size_t count) {
  return set(instance, references, reference_count, values, count);
}
fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference* references,
                          std::size_t reference_count, fmi3Boolean* values, std::size_t count) {
  return get(instance, references, reference_count, values, count);
}
fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference* references,
                          std::size_t reference_count, const fmi3Boolean* values, std::size_t count) {
  return set(instance, references, reference_count, values, count);
}
fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference* references,
                         std::size_t reference_count, fmi3String* values, std::size_t count) {
  return get(instance, references, reference_count, values, count);
}
fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference* references,
                         std::size_t reference_count, const fmi3String* values, std::size_t count) {
  return set(instance, references, reference_count, values, count);
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call(instance, [&](Instance& own) {
    fmi3FMUState& result = target(state);
    if (result != nullptr) {  // an earlier state, which is replaced
      **find_state(own, result) = own.save();
    } else {
      result = own.saved_states().emplace_back(std::make_unique<std::vector<std::byte>>(own.save())).get();
    }
  });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return call(instance, [&](Instance& own) { own.restore(**find_state(own, state)); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call(instance, [&](Instance& own) {
    fmi3FMUState& freed = target(state);
    if (freed == nullptr) return;
    own.saved_states().erase(find_state(own, freed));
    freed = nullptr;
  });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, std::size_t* size) {
  return call(instance,
              [&](Instance& own) { target(size) = (*find_state(own, state))->size() + sizeof(Checksum); });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte* serialized,
                                 std::size_t size) {
  return call(instance, [&](Instance& own) {
    const std::vector<std::byte>& bytes = **find_state(own, state);
    const std::span<fmi3Byte> room = array(serialized, size);
    if (size != bytes.size() + sizeof(Checksum))
      throw picus::OptionError(
          fmt::format("the FMU state has {} bytes, not {}", bytes.size() + sizeof(Checksum), size));
    const Checksum checksum = picus::detail::crc32(bytes);
    std::memcpy(room.data(), bytes.data(), bytes.size());
    std::memcpy(room.data() + bytes.size(), &checksum, sizeof(Checksum));
  });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte* serialized, std::size_t size,
                                   fmi3FMUState* state) {
  return call(instance, [&](Instance& own) {
    const std::span<const std::byte> all = std::as_bytes(array(serialized, size));
    Checksum checksum = 0;
    const std::span<const std::byte> bytes = all.first(size - std::min(size, sizeof(Checksum)));
    std::memcpy(&checksum, all.data() + bytes.size(), size - bytes.size());
    if (size < sizeof(Checksum) || checksum != picus::detail::crc32(bytes))
      throw picus::FileError("the FMU state is damaged, its checksum is wrong");
    target(state) = own.saved_states()
                        .emplace_back(std::make_unique<std::vector<std::byte>>(bytes.begin(), bytes.end()))
                        .get();
  });
}

#pragma GCC visibility pop
}
