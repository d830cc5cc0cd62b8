#include "executor/native/state_digest.h"

#include <sys/random.h>
#include <time.h>

namespace norn::native {

void draw_digest_keys() {
    World& w = world();
    if (getrandom(w.digest_keys, sizeof w.digest_keys, GRND_NONBLOCK) != sizeof w.digest_keys) {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        for (std::uint64_t& key : w.digest_keys)
            key += (static_cast<std::uint64_t>(now.tv_nsec) << 32 | 1) * 0x9E37'79B9'7F4A'7C15U;
    }
    for (std::uint64_t& key : w.digest_keys) key = reduce(key) | 1;
}

}  // namespace norn::native
