#include "consistency/identity.h"

#include <sys/random.h>

namespace norn {

namespace {

IdentityKey drawn() {
    // What is used if the system has no random numbers to give.
    IdentityKey key{0x243F'6A88'85A3'08D3U, 0x1319'8A2E'0370'7344U};
    [[maybe_unused]] const auto got = getrandom(&key, sizeof key, GRND_NONBLOCK);
    return key;
}

}  // namespace

const IdentityKey identity_key = drawn();

}  // namespace norn
