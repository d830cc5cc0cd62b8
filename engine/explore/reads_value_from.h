// `reads-value-from`: executions that agree on the value of every read, and on the causal order of reads, are
// one class. See reads_value_from.cpp.
#pragma once

#include <memory>

#include "explore/explorer.h"

namespace norn {

std::unique_ptr<Explorer> make_reads_value_from(const Ablation& without);

}  // namespace norn
