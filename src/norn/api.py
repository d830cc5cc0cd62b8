"""norn as functions: `norn.check("program.c")` and `norn.replay(token, "program.c")` return a Result,
`norn.compare("program.c")` a Comparison, `norn.topology("program.c")` a Topology.

Keywords are named as the options of the command line (docs/options.md) and have their defaults. Configuration
files are not read: a function does what its caller says. Bad input and build errors raise NornError;
everything that happens once the program runs, crashes included, is in the answer.
"""

from __future__ import annotations

from typing import Unpack

from norn import run
from norn.keywords import (
    CheckKeywords,
    CompareKeywords,
    ReplayKeywords,
    TopologyKeywords,
    keyworded,
    split,
)
from norn.model import Comparison, Result, Topology
from norn.run import Files


@keyworded(CheckKeywords)
def check(files: Files, **options: Unpack[CheckKeywords]) -> Result:
    """Builds the program and explores one execution per class of its interleavings.

    flags: compiler options as a list; cflags: the same as one string.
    arguments: for the program's own main. equivalence: name or short name, see `model.EQUIVALENCES`, or
    "auto". sample: only so many executions, by chance (scheduler "random" or "pct", which looks for failures
    of a depth; seed: chosen by chance if not given). preemptions: only executions with at most so many. What
    these covered is in `Result.coverage`; docs/large-programs.md. without: techniques of reads-value-from to
    leave out ("signals", "closure"), to measure what they buy. nondet: what __VERIFIER_nondet_*() gives
    (`norn.nondet`). only: kinds of failures that count; all if none are given; another one ends its execution
    like exit(). leaks: what to look for at the end of each execution, of `leaks.LEAKS`; memory only with
    mazurkiewicz, which "auto" then means. spurious: let waits on condition variables end without a signal.
    races: data races as a warning ("warn"), as a failure ("error"), or not at all ("off"). benign_races:
    patterns of functions, lines (file.c:12) and global variables whose races are harmless. exit_status: as
    races, for executions that end with a status other than 0. shrink: look for
    the simplest execution that fails as the one found does; it is shown instead, and replayed by the token.
    on_progress: called with the figures so far and the equivalence they are of. on_found: called with what
    was found, in words, before it is confirmed.
    on_interrupt: called at Ctrl-C and SIGTERM, which then only end the exploration. Without it they take
    their course: the checked program is ended, and KeyboardInterrupt raised, or the handler of the host
    called. (Off the main thread no signal is touched.)
    """
    return run.check(files, *split(options))


@keyworded(CompareKeywords)
def compare(files: Files, **options: Unpack[CompareKeywords]) -> Comparison:
    """Builds the program once and explores it under each equivalence.

    They run one after the other, so that times compare. equivalences: all if none are given. Limits hold for
    each of them. An interrupt, or a call that norn does not model, ends the comparison with what is known.
    on_start: called with each equivalence before it is run.
    """
    return run.compare(files, *split(options))


@keyworded(TopologyKeywords)
def topology(files: Files, **options: Unpack[TopologyKeywords]) -> Topology:
    """Builds the program, explores it with `observation`, and returns who communicates with whom.

    Goes on after a failure: failing executions communicate, too. What failed is in the `result` of the
    Topology. `print` shows it as `norn topology` does.
    """
    return run.topology(files, *split(options))


@keyworded(ReplayKeywords)
def replay(
    token_text: str, files: Files, *, shown: bool = False, **options: Unpack[ReplayKeywords]
) -> Result:
    """Runs exactly the execution of a token, or of a file that holds one (`@FILE`), again. The Result has its
    steps in `trace`.

    nondet, only, leaks, spurious, exit_status: as they were when the token was made. shown: let the program's
    own output through. races and benign_races are as of `check`.
    """
    settings, _ = split(options)
    return run.replay(token_text, files, settings, shown)
