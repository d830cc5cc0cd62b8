// norn.h: what a checked program can say to norn. For C and C++.
//
// `norn check` and norn-cc find this header by themselves. A program that includes it links only by these;
// keep the calls behind a macro where it must be built without norn, too. If a program that norn-cc has built
// runs on its own, norn_choose returns 0, and an assumption that does not hold ends it.
#ifndef NORN_H
#define NORN_H

#ifdef __cplusplus
extern "C" {
#endif

// Considers only executions in which `condition` is true here. Where it is false, the calling thread stops
// for good: it never ends and cannot be joined. The other threads run on, and the execution counts as
// blocked, not as a failure. Turns an endless spin loop into one look: `norn_assume(atomic_load(&ready))`.
void norn_assume(int condition);

// Returns a number from 0 to `alternatives` - 1; norn explores every one of them. For inputs, for results of
// calls that may fail, for anything outside the program's control. `alternatives` must be at least 1.
unsigned norn_choose(unsigned alternatives);

// The names that verification benchmarks use.
void __VERIFIER_assume(int condition);                      // the same as norn_assume
void __VERIFIER_error(void) __attribute__((__noreturn__));  // fails: a finding of kind reach-error
void reach_error(void);                                     // the same, for callers that go on after it
void __VERIFIER_atomic_begin(void);  // nothing of another thread happens between this ...
void __VERIFIER_atomic_end(void);    // ... and this

#ifdef __cplusplus
}
#endif

#endif  // NORN_H
