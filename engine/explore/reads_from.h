// `reads-from`: two executions are equal iff every thread performs the same events and every read has the
// same source. See reads_from.cpp.
#pragma once

#include <memory>

#include "explore/explorer.h"

namespace norn {

std::unique_ptr<Explorer> make_reads_from();

}  // namespace norn
