#include "exit_status.hpp"

#include "output.hpp"
#include <picus/error.hpp>

#include <csignal>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string_view>

namespace picus::program {
namespace {

enum ExitStatus : int { success = 0, run_failed = 1, wrong_usage = 2 };

ExitStatus fail(ExitStatus status, std::string_view message) {
  print_error(message);
  return status;
}

}  // namespace

int exit_status_of(const std::function<void()>& work) {
  // Exceeding the file size limit is then a write error, which is reported, and does not kill the program.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    work();
    flush_output();
    return success;
  } catch (const picus::OptionError& error) {
    return fail(wrong_usage, error.what());
  } catch (const picus::ModelError& error) {
    return fail(wrong_usage, error.what());
  } catch (const picus::Error& error) {
    return fail(run_failed, error.what());
  } catch (const std::bad_alloc&) {
    return fail(run_failed, "out of memory");
  } catch (const std::length_error&) {  // of a container larger than any memory
    return fail(run_failed, "out of memory");
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(run_failed, fmt::format("\"{}\": {}", error.path1().string(), error.code().message()));
  } catch (const std::exception& error) {
    return fail(run_failed,
                fmt::format("an unexpected error: {}; within Picus, please report the command line; within "
                            "functions of a model, see there",
                            error.what()));
  } catch (...) {
    return fail(run_failed, "stopped by an unknown exception");
  }
}

}  // namespace picus::program
