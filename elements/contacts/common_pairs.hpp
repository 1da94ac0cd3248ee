#pragma once

/// Two contact sets in which the same surfaces may touch: these would have two contacts at each point, whose laws both
/// hold, as if the coefficient of friction were their mean.

namespace picus {

class Model;
struct SurfacePairs;

/// Throws ModelError `contact set "b": surfaces "floor" and "box" may already touch in contact set "a"...` if so.
void require_no_common_pair(const SurfacePairs& pairs, const SurfacePairs& earlier, const Model& model);

}  // namespace picus
