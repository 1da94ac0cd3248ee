#pragma once

#include <string>

namespace picus::support {

/// The message of an action that must throw an E. Other exceptions pass through and fail the test.
template <class E, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace picus::support
