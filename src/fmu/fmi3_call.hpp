#pragma once

/// Calls from C: no exception propagates to the caller; it becomes a message in the importer's log.

#include "../printable.hpp"
#include "fmi3.hpp"
#include "instance.hpp"

#include <exception>
#include <new>
#include <string>

namespace picus::fmu {

/// Calls the importer, which must not throw, but may be written in C++. The text is one line of valid UTF-8.
inline void send(fmi3LogMessageCallback callback, fmi3InstanceEnvironment environment, LogLevel level,
                 const std::string& text) {
  if (callback == nullptr) return;
  const bool is_error = level == LogLevel::error;
  callback(environment, is_error ? fmi3Error : fmi3Warning, is_error ? "logStatusError" : "logStatusWarning",
           detail::printable(text).c_str());
}

/// Calls work() and returns whether it completed without an exception; report(text) receives the message.
template <class Work, class Report>
bool succeeds(const Work& work, const Report& report) noexcept {
  const auto tell = [&](const char* text) noexcept {
    try {
      report(text);
    } catch (...) {  // it cannot be reported any more
    }
  };
  try {
    work();
    return true;
  } catch (const std::bad_alloc&) {
    tell("out of memory");
  } catch (const std::exception& error) {
    tell(error.what());
  } catch (...) {
    tell("stopped by an unknown exception");
  }
  return false;
}

template <class Work>
fmi3Status call(fmi3Instance instance, const Work& work) noexcept {
  if (instance == nullptr) return fmi3Error;
  auto& own = *static_cast<Instance*>(instance);
  const bool is_done = succeeds([&] { work(own); }, [&](const char* text) { own.log_error(text); });
  return is_done ? fmi3OK : fmi3Error;
}

}  // namespace picus::fmu
