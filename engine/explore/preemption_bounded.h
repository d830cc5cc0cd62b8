// The explorer of `--preemptions`: every execution with few preemptions. See preemption_bounded.cpp.
#pragma once

#include <cstdint>
#include <memory>

#include "explore/explorer.h"

namespace norn {

std::unique_ptr<Explorer> make_preemption_bounded(std::uint32_t most_preemptions);

}  // namespace norn
