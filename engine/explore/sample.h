// The explorer of `--sample`: some executions, by chance. See sample.cpp.
#pragma once

#include <cstdint>
#include <memory>

#include "explore/explorer.h"

namespace norn {

struct Sampling {
    enum class Scheduler : std::uint8_t { random, pct };

    std::uint64_t executions = 0;
    Scheduler scheduler = Scheduler::random;
    std::uint32_t depth = 3;  // of the failures that `pct` looks for
    std::uint64_t seed = 0;
};

std::unique_ptr<Explorer> make_sample(const Sampling& sampling);

}  // namespace norn
