// Undetermined values: which ones __VERIFIER_nondet_*() may give. Set once, before the first execution.
#pragma once

namespace norn::native {

// "0,1,5": each call chooses one of these, and every choice is explored. "random:7": one value each call, by
// that seed.
void set_nondet(const char* values);

}  // namespace norn::native
