#include "euler.hpp"
#include "sweeping.hpp"
#include <picus/models/registry.hpp>
#include <picus/program.hpp>
#include <picus/solvers/integrators/schemes.hpp>

// The ready-made models of Picus, and two schemes more.
int main(int argc, char** argv) {
  return picus::run_main(
      argc, argv, picus::models::registry(),
      {.description = "Picus with two schemes more.", .prepare = [] {
         picus::register_scheme(picus::make_scheme(
             {.name = "sweeping",
              .summary = "Moreau's midpoint rule, contacts by projected Gauss-Seidel sweeps.",
              .source = "Moreau 1999; Jean 1999"},
             SweepingOptions::table(), [](const SweepingOptions& own, const picus::SchemeOptions& options) {
               return make_sweeping(options.step, own);
             }));
         picus::register_scheme(picus::make_scheme(
             {.name = "euler",
              .summary = "Implicit Euler, all constraints at velocity level.",
              .source = "Moreau 1988; Jean 1999"},
             picus::VelocityLevelOptions::table(),
             [](const picus::VelocityLevelOptions& own, const picus::SchemeOptions& options) {
               return std::make_unique<Euler>(options, own);
             }));
       }});
}
