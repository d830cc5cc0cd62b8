// Stands in for norn's own header where another checker reads a benchmark program; `foreign.py` puts it on
// the path. Both checkers know the assumption, each in its way; nothing else of the header can be had.
#ifndef BESIDE_NORN_H
#define BESIDE_NORN_H

#ifdef BESIDE_GENMC
#include <genmc.h>
#else
void __VERIFIER_assume(int condition);
#endif

#endif  // BESIDE_NORN_H
