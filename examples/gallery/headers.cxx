#include "gallery.hpp"
