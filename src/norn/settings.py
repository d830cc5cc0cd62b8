"""All that can be asked of an exploration or a replay, in one value that every command and function shares.

The command line makes `Settings` from its options, the functions of `api` from their keywords. A command that
does not have an option leaves it as it is here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from norn import auto, benign
from norn.build import Program
from norn.build.options import CompilerOptions, sort_options
from norn.deadline import Deadline
from norn.errors import UsageError
from norn.leaks import require_leaks
from norn.model import AUTO, DEFAULT_EQUIVALENCE
from norn.nondet import DEFAULT_NONDET, nondet_for_engine, settle_nondet
from norn.options.table import DEFAULT_ISOLATION, OPTIONS
from norn.plans import Plan, make_plan
from norn.races import DEFAULT_MODE

# So many executions may be tried for a simpler one of each finding.
_SHRINK_EXECUTIONS = 20_000


@dataclass(frozen=True)
class Settings:
    """Fields are named as in the table of options; those without an option have a comment."""

    # How the program is built and run.
    flags: Sequence[str] = ()  # compiler options as a list
    cflags: str = ""
    arguments: Sequence[str] = ()  # for the program's own main
    isolate: str = DEFAULT_ISOLATION
    nondet: str = DEFAULT_NONDET
    spurious: bool = False
    own_flags: Sequence[str] = ()  # of norn's own, for the compiler: not looked at like those of the user
    fill: int = 0  # each byte of fresh heap memory
    strong_atomics: bool = False  # for data races every atomic operation is taken for seq_cst
    # What counts as a failure.
    only: Sequence[
        str
    ] = ()  # kinds of failures that count, all if empty; others end an execution like exit()
    leaks: Sequence[str] = ()
    races: str = DEFAULT_MODE
    exit_status: str = DEFAULT_MODE
    benign_races: Sequence[str] = ()
    # What is explored, and how far.
    equivalence: str = DEFAULT_EQUIVALENCE
    equivalences: Sequence[str] = ()  # those to compare
    without: Sequence[
        str
    ] = ()  # techniques of reads-value-from to leave out, to measure what they buy: signals, closure
    max_executions: int | None = None
    max_events: int | None = None
    max_thread_events: int | None = None
    time_limit: float | None = None
    keep_going: bool = False
    shrink: bool = True
    sample: int | None = None
    scheduler: str | None = None
    depth: int | None = None
    seed: int | None = None
    preemptions: int | None = None

    def settled(self) -> Settings:
        """The same, with every value found sensible and all chance taken: random values have their seed."""
        for option in OPTIONS:
            refused = option.refusal_of(getattr(self, option.parameter, None))
            if refused is not None:
                raise UsageError(refused)
        return replace(self, leaks=require_leaks(self.leaks), nondet=settle_nondet(self.nondet))

    @property
    def compiler_options(self) -> CompilerOptions:
        options = sort_options(self.flags, self.cflags)
        return replace(options, compile=(*options.compile, *self.own_flags))

    def plan(self) -> Plan | None:
        """A search for some executions only, if one is asked for."""
        return make_plan(
            sample=self.sample,
            scheduler=self.scheduler,
            depth=self.depth,
            seed=self.seed,
            preemptions=self.preemptions,
            has_equivalence=self.equivalence != AUTO,
        )

    def of_program(self, harmless: benign.Listed = benign.NOTHING) -> dict[str, str]:
        """Options of the engine that what the program does, and what counts as a failure, depends on."""
        return {
            **({"nondet": nondet_for_engine(self.nondet)} if self.nondet != DEFAULT_NONDET else {}),
            **({"only": f",{','.join(self.only)},"} if self.only else {}),
            **({"leaks": ",".join(self.leaks)} if self.leaks else {}),
            **({"spurious": "1"} if self.spurious else {}),
            **({"fill": str(self.fill)} if self.fill else {}),
            **({"strong_atomics": "1"} if self.strong_atomics else {}),
            **({"exit_status": self.exit_status} if self.exit_status != DEFAULT_MODE else {}),
            "races": self.races,
            "benign": harmless.path,
        }


@dataclass(frozen=True)
class Watch:
    """Whom to tell what happens meanwhile."""

    on_progress: auto.OnProgressOf | None = None  # with the figures so far and the equivalence they are of
    on_found: Callable[[str], None] | None = None  # with what was found, in words, before it is confirmed
    # (Without it these signals take their course, see `interrupts`.)
    on_interrupt: Callable[[], None] | None = None  # at Ctrl-C and SIGTERM, which then end the search only
    on_built: Callable[[Program], None] | None = None  # with the program, before it is explored
    on_start: Callable[[str], None] | None = None  # with each of several equivalences before it is run

    def built(self, program: Program) -> Program:
        if self.on_built is not None:
            self.on_built(program)
        return program

    def starting(self, equivalence: str) -> None:
        if self.on_start is not None:
            self.on_start(equivalence)


@dataclass(frozen=True)
class Exploration:
    """How to explore one program: settings that are settled, and what follows from them."""

    settings: Settings
    watch: Watch = field(default_factory=Watch)
    plan: Plan | None = None
    benign: benign.Listed = benign.NOTHING
    deadline: Deadline = field(default_factory=Deadline)

    def begun(self) -> Exploration:
        """From now on its time runs."""
        return replace(self, deadline=Deadline(self.settings.time_limit))

    def of_program(self) -> dict[str, str]:
        return self.settings.of_program(self.benign)

    def options(self) -> dict[str, str | int | float]:
        """Those of the engine, docs/protocol.md, whatever the equivalence."""
        asked = self.settings
        options: dict[str, str | int | float] = {
            "mode": "check",
            "keep_going": int(asked.keep_going),
            "isolate": asked.isolate,
            "max_executions": asked.max_executions or 0,
            "time_limit": asked.time_limit or 0,
            **self.of_program(),
        }
        if asked.max_events is not None:
            # A limit that somebody has chosen cuts executions; the one that is always there ends the check.
            options |= {"max_events": asked.max_events, "cut_long": 1}
        if asked.max_thread_events is not None:
            options["max_thread_events"] = asked.max_thread_events
        if asked.shrink:
            options["shrink"] = _SHRINK_EXECUTIONS
        if self.plan is not None:
            options |= self.plan.options()
        if self.watch.on_progress is not None:
            options["progress"] = 100
        return options
