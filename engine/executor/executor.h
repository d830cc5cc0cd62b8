// Executor: runs one execution of a program under a schedule. The only thing an explorer knows of a program.
//
// Implementations: executor/native (a compiled C or C++ program, in whose process the engine lives) and
// litmus/ (tiny programs given as data, for tests).
//
// Guarantees every explorer relies on:
//   - The same schedule gives the same execution: same events, same ids of threads and locations.
//   - Thread 0 is the main thread; ids do not depend on the interleaving.
//   - The first event of a thread has the spawn event as its cause; a `wake_lock` has the signal or broadcast
//   that
//     woke the thread as its cause.
//   - An event whose guard is false is never performed; at the end it is in `pending`, with `before` the
//   value
//     that its guard refused.
#pragma once

#include "graph/execution.h"
#include "graph/schedule.h"

namespace norn {

class Executor {
public:
    virtual ~Executor() = default;
    virtual const Execution& run(const Schedule& schedule) = 0;
};

}  // namespace norn
