/// The functions of FMI 3.0 for features that the FMUs of Picus do not have: other interface types, events, clocks,
/// derivatives, variables of other types.

#include "fmi3_call.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>

namespace picus::fmu {
namespace {

fmi3Status refuse(fmi3Instance instance, const char* function) noexcept {
  return call(instance, [&](Instance&) {
    throw OptionError(fmt::format("{} is not among the capabilities of this FMU", function));
  });
}

/// Access to variables of a type of which there are none.
fmi3Status refuse_any(fmi3Instance instance, const char* function, std::size_t count) noexcept {
  return count == 0 && instance != nullptr ? fmi3OK : refuse(instance, function);
}

}  // namespace
}  // namespace picus::fmu

using namespace picus::fmu;

extern "C" {
#pragma GCC visibility push(default)

fmi3Instance fmi3InstantiateModelExchange(fmi3String /*name*/, fmi3String /*token*/,
                                          fmi3String /*resource_path*/, fmi3Boolean /*visible*/,
                                          fmi3Boolean /*logging_on*/, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log_message) {
  succeeds([&] { send(log_message, environment, LogLevel::error, "the FMU is one for co-simulation"); },
           [](const char*) {});
  return nullptr;
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String /*name*/, fmi3String /*token*/, fmi3String /*resource_path*/, fmi3Boolean /*visible*/,
    fmi3Boolean /*logging_on*/, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message,
    fmi3ClockUpdateCallback /*clock_update*/, fmi3LockPreemptionCallback /*lock*/,
    fmi3UnlockPreemptionCallback /*unlock*/) {
  return fmi3InstantiateModelExchange(nullptr, nullptr, nullptr, false, false, environment, log_message);
}

// The standard has one pair of functions for each type.
#define PICUS_REFUSE_VARIABLES_OF(Type)                                                                  \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference* /*references*/,              \
                           std::size_t reference_count, fmi3##Type* /*values*/, std::size_t /*count*/) { \
    return refuse_any(instance, "fmi3Get" #Type, reference_count);                                       \
  }                                                                                                      \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference* /*references*/,              \
                           std::size_t reference_count, const fmi3##Type* /*values*/,                    \
                           std::size_t /*count*/) {                                                      \
    return refuse_any(instance, "fmi3Set" #Type, reference_count);                                       \
  }
PICUS_REFUSE_VARIABLES_OF(Float32)
PICUS_REFUSE_VARIABLES_OF(Int8)
PICUS_REFUSE_VARIABLES_OF(UInt8)
PICUS_REFUSE_VARIABLES_OF(Int16)
PICUS_REFUSE_VARIABLES_OF(UInt16)
PICUS_REFUSE_VARIABLES_OF(UInt32)
PICUS_REFUSE_VARIABLES_OF(Int64)
PICUS_REFUSE_VARIABLES_OF(UInt64)
#undef PICUS_REFUSE_VARIABLES_OF

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                         std::size_t reference_count, std::size_t* /*sizes*/, fmi3Binary* /*values*/,
                         std::size_t /*count*/) {
  return refuse_any(instance, "fmi3GetBinary", reference_count);
}
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                        std::size_t reference_count, fmi3Clock* /*values*/) {
  return refuse_any(instance, "fmi3GetClock", reference_count);
}
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                         std::size_t reference_count, const std::size_t* /*sizes*/,
                         const fmi3Binary* /*values*/, std::size_t /*count*/) {
  return refuse_any(instance, "fmi3SetBinary", reference_count);
}
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                        std::size_t reference_count, const fmi3Clock* /*values*/) {
  return refuse_any(instance, "fmi3SetClock", reference_count);
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return refuse(instance, "fmi3EnterEventMode");
}
fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return refuse(instance, "fmi3EnterStepMode");
}
fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return refuse(instance, "fmi3EnterConfigurationMode");
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return refuse(instance, "fmi3ExitConfigurationMode");
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return refuse(instance, "fmi3EvaluateDiscreteStates");
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return refuse(instance, "fmi3EnterContinuousTimeMode");
}
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference /*reference*/,
                                               std::size_t* /*count*/) {
  return refuse(instance, "fmi3GetNumberOfVariableDependencies");
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference /*dependent*/,
                                       std::size_t* /*dependent_elements*/,
                                       fmi3ValueReference* /*independents*/,
                                       std::size_t* /*independent_elements*/, fmi3DependencyKind* /*kinds*/,
                                       std::size_t /*count*/) {
  return refuse(instance, "fmi3GetVariableDependencies");
}
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference* /*unknowns*/,
                                        std::size_t /*unknown_count*/, const fmi3ValueReference* /*knowns*/,
                                        std::size_t /*known_count*/, const fmi3Float64* /*seed*/,
                                        std::size_t /*seed_count*/, fmi3Float64* /*sensitivity*/,
                                        std::size_t /*sensitivity_count*/) {
  return refuse(instance, "fmi3GetDirectionalDerivative");
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference* /*unknowns*/,
                                    std::size_t /*unknown_count*/, const fmi3ValueReference* /*knowns*/,
                                    std::size_t /*known_count*/, const fmi3Float64* /*seed*/,
                                    std::size_t /*seed_count*/, fmi3Float64* /*sensitivity*/,
                                    std::size_t /*sensitivity_count*/) {
  return refuse(instance, "fmi3GetAdjointDerivative");
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                                  std::size_t /*count*/, fmi3Float64* /*intervals*/,
                                  fmi3IntervalQualifier* /*qualifiers*/) {
  return refuse(instance, "fmi3GetIntervalDecimal");
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                                   std::size_t /*count*/, fmi3UInt64* /*counters*/,
                                   fmi3UInt64* /*resolutions*/, fmi3IntervalQualifier* /*qualifiers*/) {
  return refuse(instance, "fmi3GetIntervalFraction");
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                               std::size_t /*count*/, fmi3Float64* /*shifts*/) {
  return refuse(instance, "fmi3GetShiftDecimal");
}
fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                                std::size_t /*count*/, fmi3UInt64* /*counters*/,
                                fmi3UInt64* /*resolutions*/) {
  return refuse(instance, "fmi3GetShiftFraction");
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                                  std::size_t /*count*/, const fmi3Float64* /*intervals*/) {
  return refuse(instance, "fmi3SetIntervalDecimal");
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                                   std::size_t /*count*/, const fmi3UInt64* /*counters*/,
                                   const fmi3UInt64* /*resolutions*/) {
  return refuse(instance, "fmi3SetIntervalFraction");
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                               std::size_t /*count*/, const fmi3Float64* /*shifts*/) {
  return refuse(instance, "fmi3SetShiftDecimal");
}
fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                                std::size_t /*count*/, const fmi3UInt64* /*counters*/,
                                const fmi3UInt64* /*resolutions*/) {
  return refuse(instance, "fmi3SetShiftFraction");
}
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* /*need_update*/,
                                    fmi3Boolean* /*terminate*/, fmi3Boolean* /*nominals_changed*/,
                                    fmi3Boolean* /*values_changed*/, fmi3Boolean* /*next_event_defined*/,
                                    fmi3Float64* /*next_event*/) {
  return refuse(instance, "fmi3UpdateDiscreteStates");
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean /*no_set_state_before*/,
                                       fmi3Boolean* /*enter_event_mode*/, fmi3Boolean* /*terminate*/) {
  return refuse(instance, "fmi3CompletedIntegratorStep");
}
fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 /*time*/) {
  return refuse(instance, "fmi3SetTime");
}
fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64* /*states*/,
                                   std::size_t /*count*/) {
  return refuse(instance, "fmi3SetContinuousStates");
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64* /*derivatives*/,
                                             std::size_t /*count*/) {
  return refuse(instance, "fmi3GetContinuousStateDerivatives");
}
fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64* /*indicators*/, std::size_t /*count*/) {
  return refuse(instance, "fmi3GetEventIndicators");
}
fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64* /*states*/, std::size_t /*count*/) {
  return refuse(instance, "fmi3GetContinuousStates");
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64* /*nominals*/,
                                             std::size_t /*count*/) {
  return refuse(instance, "fmi3GetNominalsOfContinuousStates");
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* /*count*/) {
  return refuse(instance, "fmi3GetNumberOfEventIndicators");
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* /*count*/) {
  return refuse(instance, "fmi3GetNumberOfContinuousStates");
}
fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference* /*references*/,
                                    std::size_t /*reference_count*/, const fmi3Int32* /*orders*/,
                                    fmi3Float64* /*values*/, std::size_t /*count*/) {
  return refuse(instance, "fmi3GetOutputDerivatives");
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference /*clock*/,
                                      fmi3Float64 /*time*/) {
  return refuse(instance, "fmi3ActivateModelPartition");
}

#pragma GCC visibility pop
}
