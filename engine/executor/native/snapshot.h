// Snapshot: the program's global data as main finds it, restored before each execution.
#pragma once

namespace norn::native {

void take_snapshot();
void restore_snapshot();

}  // namespace norn::native
