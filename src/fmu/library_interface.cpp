#include "library_interface.hpp"

#include "description.hpp"
#include <picus/error.hpp>

#include <exception>
#include <string>

namespace picus::fmu {
namespace {

#if defined(__aarch64__)
constexpr const char* platform = "aarch64-linux";
#elif defined(__x86_64__)
constexpr const char* platform = "x86_64-linux";
#else
constexpr const char* platform = "x86-linux";
#endif

std::string names_of(const Description& description, Causality causality) {
  std::string names;
  for (const Variable& variable : description.variables()) {
    if (variable.causality == causality) names += variable.name + '\n';
  }
  return names;
}

void describe(const char* setup, void* sink, PutText put) {
  const Description description(fmu_models(), read_setup(setup));
  put(sink, "identifier", description.identifier().c_str());
  put(sink, "platform", platform);
  put(sink, "inputs", names_of(description, Causality::input).c_str());
  put(sink, "outputs", names_of(description, Causality::output).c_str());
  put(sink, "modelDescription.xml", description.xml().c_str());
}

}  // namespace
}  // namespace picus::fmu

extern "C" __attribute__((visibility("default"))) int picus_fmu_describe(const char* setup, void* sink,
                                                                         picus::fmu::PutText put) {
  constexpr int run_failed = 1;
  constexpr int wrong_usage = 2;
  try {
    picus::fmu::describe(setup, sink, put);
    return 0;
  } catch (const picus::OptionError& error) {
    put(sink, "error", error.what());
    return wrong_usage;
  } catch (const picus::ModelError& error) {
    put(sink, "error", error.what());
    return wrong_usage;
  } catch (const std::exception& error) {
    put(sink, "error", error.what());
  } catch (...) {
    put(sink, "error", "stopped by an unknown exception");
  }
  return run_failed;
}
