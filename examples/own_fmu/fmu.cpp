#include "cart.hpp"

std::vector<picus::FmuModel> picus::fmu_models() {
  return {FmuModel(cart(), {{"force", &Cart::force, "N", "pushes the cart"},
                            {"speed", &Cart::speed, "m/s", "of the base"}})};
}
