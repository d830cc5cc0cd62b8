// What an execution must forget of its signals. See signals.cpp.
#pragma once

namespace norn::native {

void forget_signal_settings();

}  // namespace norn::native
