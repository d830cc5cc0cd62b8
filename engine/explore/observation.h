// See observation.cpp.
#pragma once

#include <memory>

#include "explore/explorer.h"

namespace norn {

std::unique_ptr<Explorer> make_observation(const Ablation& without);

}  // namespace norn
