/// The `picus` program with the ready-made models.

#include "fmu_words.hpp"
#include "report_words.hpp"
#include <picus/models/registry.hpp>
#include <picus/program.hpp>

int main(int argc, char** argv) {
  return picus::run_main(argc, argv, picus::models::registry(),
                         {.name = "picus",
                          .description = "Nonsmooth flexible multibody dynamics.",
                          .companions = {{.command = picus::program::fmu_command,
                                          .program = "picus-fmu",
                                          .summary = picus::program::fmu_summary,
                                          .origin = "build target picus_fmu_program"},
                                         {.command = picus::program::report_command,
                                          .program = "picus-report",
                                          .summary = picus::program::report_summary,
                                          .origin = "build target picus_report",
                                          .list = picus::program::benchmarks_command}}});
}
