#include <picus/models/andrews_squeezer.hpp>
#include <picus/models/arch.hpp>
#include <picus/models/ball_on_ball.hpp>
#include <picus/models/belt.hpp>
#include <picus/models/bouncing_ball.hpp>
#include <picus/models/bouncing_oscillator.hpp>
#include <picus/models/box_impact.hpp>
#include <picus/models/box_pyramid.hpp>
#include <picus/models/box_tower.hpp>
#include <picus/models/bricard.hpp>
#include <picus/models/capstan.hpp>
#include <picus/models/colliding_bars.hpp>
#include <picus/models/crank_slider.hpp>
#include <picus/models/crossed_cantilevers.hpp>
#include <picus/models/dominoes.hpp>
#include <picus/models/driven_linkage.hpp>
#include <picus/models/elastic_bar.hpp>
#include <picus/models/flexible_cube.hpp>
#include <picus/models/flexible_pendulum.hpp>
#include <picus/models/flyball_governor.hpp>
#include <picus/models/four_bar_chain.hpp>
#include <picus/models/geneva_drive.hpp>
#include <picus/models/gripper.hpp>
#include <picus/models/hertz_contact.hpp>
#include <picus/models/inclined_plane.hpp>
#include <picus/models/kane_pendulum.hpp>
#include <picus/models/mixed_heap.hpp>
#include <picus/models/moved_scene.hpp>
#include <picus/models/newtons_cradle.hpp>
#include <picus/models/oblique_beam.hpp>
#include <picus/models/paddle.hpp>
#include <picus/models/painleve_rod.hpp>
#include <picus/models/pendulum_on_plate.hpp>
#include <picus/models/pressed_blocks.hpp>
#include <picus/models/registry.hpp>
#include <picus/models/rigid_pendulum.hpp>
#include <picus/models/rimless_wheel.hpp>
#include <picus/models/rocking_block.hpp>
#include <picus/models/rocking_rod.hpp>
#include <picus/models/rod_on_floor.hpp>
#include <picus/models/shaken_pendulum.hpp>
#include <picus/models/simple_pendulum.hpp>
#include <picus/models/sliding_crate.hpp>
#include <picus/models/sliding_masses.hpp>
#include <picus/models/sliding_point.hpp>
#include <picus/models/soft_cube.hpp>
#include <picus/models/sphere_chain.hpp>
#include <picus/models/spinning_beam.hpp>
#include <picus/models/spinning_top.hpp>
#include <picus/models/spur_gears.hpp>
#include <picus/models/three_masses.hpp>
#include <picus/models/tippe_top.hpp>
#include <picus/models/twisted_shaft.hpp>
#include <picus/models/woodpecker.hpp>

namespace picus::models {

const std::vector<RegisteredModel>& registry() {
  static const std::vector<RegisteredModel> models = {
      registered_andrews_squeezer(),
      registered_arch(),
      registered_ball_on_ball(),
      registered_belt(),
      registered_bouncing_ball(),
      registered_bouncing_oscillator(),
      registered_box_impact(),
      registered_box_pyramid(),
      registered_box_tower(),
      registered_bricard(),
      registered_capstan(),
      registered_colliding_bars(),
      registered_crank_slider(),
      registered_crossed_cantilevers(),
      registered_dominoes(),
      registered_driven_linkage(),
      registered_elastic_bar(),
      registered_flexible_cube(),
      registered_flexible_pendulum(),
      registered_flyball_governor(),
      registered_four_bar_chain(),
      registered_geneva_drive(),
      registered_gripper(),
      registered_hertz_contact(),
      registered_inclined_plane(),
      registered_kane_pendulum(),
      registered_mixed_heap(),
      registered_moved_scene(),
      registered_newtons_cradle(),
      registered_oblique_beam(),
      registered_paddle(),
      registered_painleve_rod(),
      registered_pendulum_on_plate(),
      registered_pressed_blocks(),
      registered_rigid_pendulum(),
      registered_rimless_wheel(),
      registered_rocking_block(),
      registered_rocking_rod(),
      registered_rod_on_floor(),
      registered_shaken_pendulum(),
      registered_simple_pendulum(),
      registered_sliding_crate(),
      registered_sliding_masses(),
      registered_sliding_point(),
      registered_soft_cube(),
      registered_sphere_chain(),
      registered_spinning_beam(),
      registered_spinning_top(),
      registered_spur_gears(),
      registered_three_masses(),
      registered_tippe_top(),
      registered_twisted_shaft(),
      registered_woodpecker(),
  };
  return models;
}

const RegisteredModel& find_model(std::string_view name) {
  return picus::find_model(registry(), name);
}

}  // namespace picus::models
