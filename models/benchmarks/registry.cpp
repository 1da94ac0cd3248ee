#include <picus/error.hpp>
#include <picus/models/benchmarks/benchmark.hpp>

#include <fmt/format.h>

namespace picus::models {

// Each is defined in a file of its own in this folder.
Benchmark thesis_spinning_top();
Benchmark thesis_bouncing_ball();
Benchmark thesis_box_impact();
Benchmark thesis_elastic_bar();
Benchmark thesis_flexible_pendulum();
Benchmark thesis_flexible_cube();
Benchmark thesis_inclined_plane();
Benchmark thesis_rocking_rod();
Benchmark thesis_belt();
Benchmark thesis_sliding_masses();
Benchmark thesis_oblique_beam();
Benchmark thesis_pendulum_on_plate();
Benchmark thesis_woodpecker();
Benchmark chen_bouncing_ball();
Benchmark chen_oscillator();
Benchmark chen_elastic_bar();
Benchmark chen_flexible_pendulum();
Benchmark chen_rigid_pendulum();
Benchmark chen_crank_slider();
Benchmark chen_flexible_crank_slider();
Benchmark rezaei_spectral_properties();
Benchmark scheme_comparison();
Benchmark rezaei_three_masses();
Benchmark rezaei_crank_slider();
Benchmark acary_bouncing_ball();
Benchmark acary_two_balls();
Benchmark acary_impacting_bar();
Benchmark leine_tippe_top();
Benchmark iftomm_four_bar_chain();
Benchmark iftomm_mechanisms();
Benchmark closed_contacts();
Benchmark masonry_arch();
Benchmark closing_beside_sticking();
Benchmark found_contacts();
Benchmark touching_bodies();
Benchmark woodpecker_large_steps();
Benchmark acceleration_level();
Benchmark impact_laws();
Benchmark reduced_bodies();
Benchmark rezaei_modal_rod();
Benchmark beside_the_examples();

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = {
      thesis_spinning_top(),
      thesis_bouncing_ball(),
      thesis_box_impact(),
      thesis_elastic_bar(),
      thesis_flexible_pendulum(),
      thesis_flexible_cube(),
      thesis_inclined_plane(),
      thesis_rocking_rod(),
      thesis_belt(),
      thesis_sliding_masses(),
      thesis_oblique_beam(),
      thesis_pendulum_on_plate(),
      thesis_woodpecker(),
      chen_bouncing_ball(),
      chen_oscillator(),
      chen_elastic_bar(),
      chen_flexible_pendulum(),
      chen_rigid_pendulum(),
      chen_crank_slider(),
      chen_flexible_crank_slider(),
      rezaei_spectral_properties(),
      rezaei_three_masses(),
      rezaei_crank_slider(),
      acary_bouncing_ball(),
      acary_two_balls(),
      acary_impacting_bar(),
      leine_tippe_top(),
      iftomm_four_bar_chain(),
      iftomm_mechanisms(),
      closed_contacts(),
      masonry_arch(),
      closing_beside_sticking(),
      found_contacts(),
      touching_bodies(),
      woodpecker_large_steps(),
      acceleration_level(),
      impact_laws(),
      reduced_bodies(),
      rezaei_modal_rod(),
      beside_the_examples(),
      scheme_comparison(),
  };
  return all;
}

const Benchmark& find_benchmark(std::string_view name) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) {
    if (benchmark.name == name) return benchmark;
    names.push_back(benchmark.name);
  }
  throw OptionError(fmt::format("there is no benchmark \"{}\"{}", name, suggestion(name, names)));
}

}  // namespace picus::models
