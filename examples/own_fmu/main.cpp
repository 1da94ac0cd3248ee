#include "cart.hpp"
#include <picus/program.hpp>

int main(int argc, char** argv) {
  return picus::run_main(argc, argv, {cart()});
}
