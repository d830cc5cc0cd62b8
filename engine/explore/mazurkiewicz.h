// The explorer `mazurkiewicz`: one execution for each order of conflicting events. See mazurkiewicz.cpp.
#pragma once

#include <memory>

#include "explore/explorer.h"

namespace norn {

std::unique_ptr<Explorer> make_mazurkiewicz();

}  // namespace norn
