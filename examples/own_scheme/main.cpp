#include "sweeping.hpp"
#include <picus/models/registry.hpp>
#include <picus/program.hpp>
#include <picus/solvers/integrators/schemes.hpp>

// The ready-made models of Picus, and one scheme more.
int main(int argc, char** argv) {
  return picus::run_main(
      argc, argv, picus::models::registry(),
      {.description = "Picus with Moreau's midpoint rule by Gauss-Seidel sweeps.", .prepare = [] {
         picus::register_scheme(picus::make_scheme(
             {.name = "sweeping",
              .summary = "Moreau's midpoint rule, contacts by projected Gauss-Seidel sweeps.",
              .source = "Moreau 1999; Jean 1999"},
             SweepingOptions::table(), [](const SweepingOptions& own, const picus::SchemeOptions& options) {
               return make_sweeping(options.step, own);
             }));
       }});
}
