"""Makes accesses visible that the compiler does not report, in the assembly between compiler and assembler.

Compilers with -fsanitize=thread call a hook before each access to memory that others may know. They have
gaps: what nested functions reach through the static chain, structs returned and passed by value, builtins
expanded in place, long double and wide vectors, inline assembly, functions marked no_sanitize, and others
that nobody has listed. So the gaps are not looked for by name. Every instruction that touches memory must be
*announced*: in the same straight line of code a hook was given that very address. Where it was not, a call of
`norn_unseen` (engine/executor/native/unseen.cpp) is put before the instruction, which reports the access and
keeps all registers:

    movl 16(%rax), %edx      ==>     leaq -128(%rsp), %rsp
                                     pushq %rsi
                                     pushq %rdi
                                     leaq 16(%rax), %rdi
                                     movl $4, %esi
                                     call norn_unseen
                                     popq %rdi
                                     popq %rsi
                                     leaq 128(%rsp), %rsp
                                     movl 16(%rax), %edx

Whether an address was announced is found out by numbering values. Registers and slots of the frame hold sums
of numbered values; the same operation on the same values has the same number. At a label, and for what is
not understood, values are new ones. So an access counts as announced only if the hook was given its address,
but where a pointer in the frame is changed through another pointer between the two. And a call too many is
only another event of an access that does take place. Of what a hook announces each byte may be touched once.
(Copies of structs end with a move that overlaps the one before: it touches something new, too.)

Not looked at are the function's own frame (of what other threads know of it the compilers report all
accesses, but for those that known_frames.py finds), constants, and the compiler's guards of static variables.

Where nothing can be put in, a call of `norn_unseen_gap` is: the result is *incomplete* if an execution comes
there. That is so
- inside of a struct copy that was announced as a whole;
- for instructions whose effect is not known (operands.py), or that read and write without a lock;
- in functions that use vector registers of more than 16 bytes, which the call does not keep;
- for system calls in inline assembly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from norn.build import fresh_frames
from norn.build import operands as x86
from norn.build.assembly_values import Terms, Value, Values, moved
from norn.build.known_frames import FrameRule, Ranges
from norn.errors import BuildError

_LABEL = re.compile(r"^\s*([^\s:#\"]+):")
# Labels that mark places for debuggers and unwinders; nothing jumps to them.
_MARKER_LABEL = re.compile(
    r"^\.L(?:BB|BE|VL|FB|FE|VUE?|EHB|EHE|BI|BIE|tmp|func_begin|func_end)\d+$|^\.LM\d+$|^\.Ltext|^\.Letext|^7707$"
)  # (the last one: fresh_frames.py)
_SECTION = re.compile(r"^\s+\.(?:section\s+([^\s,]+)|(text|data|bss)\b)")
_CONSTANT_SECTIONS = (".rodata", ".data.rel.ro", ".text", "text")
_HOOK = re.compile(
    r"^__(?:tsan|norn)_(?:unaligned_|volatile_|copy_)*(read|write|read_write)(1|2|4|8|16|_range)$"
    r"|^__tsan_(vptr_update|vptr_read)$|^__tsan_atomic(\d+)_load$"
)
_STRING = re.compile(r"^(movs|stos|lods|scas|cmps)([bwlq])$")
_STRING_OPERANDS = {
    "movs": (("rsi", x86.READ), ("rdi", x86.WRITE)),
    "stos": (("rdi", x86.WRITE),),
    "lods": (("rsi", x86.READ),),
    "scas": (("rdi", x86.READ),),
    "cmps": (("rsi", x86.READ), ("rdi", x86.READ)),
}
_INLINE_LABEL = re.compile(r"^([\w.$]+):\s*")
_ENDS_BLOCK = re.compile(r"^(?:jmp|ret|ud2|hlt)q?$")
# As the engine takes them, with the size below (unseen.cpp).
_KIND_CODES = {x86.READ: 0, x86.WRITE: 1 << 24, x86.UPDATE: 2 << 24}
_BY_ASSEMBLY = 4 << 24
_LARGEST = 1 << 24
_SYSTEM_CALLS = frozenset({"syscall", "sysenter", "int", "vmcall", "sysret"})
_DATA_AS_CODE = re.compile(
    r"^\s*\.(?:byte|word|long|int|quad|octa|short|insn|value|[248]byte|ascii|incbin)\b"
)


@dataclass
class _Announced:
    """A hook was called for these bytes. Each of them may be touched once, in any order and in pieces."""

    terms: Terms
    begin: int
    end: int | None  # None: not known
    writes: bool
    reads: bool
    line: int  # of the call of the hook, in the new text
    is_copy: bool  # together with the read that follows (gcc_assembly.py)
    is_range: bool  # of some size, not one that an instruction has
    touched: list[tuple[int, int]] = field(default_factory=list)

    def takes(self, terms: Terms, begin: int, end: int | None) -> bool:
        """Whether these bytes are among them, and not touched yet."""
        if self.terms != terms or begin < self.begin:
            return False
        if self.end is None or end is None:
            return self.end is None and not self.touched
        again = sum(max(0, min(end, high) - max(begin, low)) for low, high in self._touched_once())
        most = end - begin - 1 if self.is_range else 0
        return end <= self.end and again <= most

    def _touched_once(self) -> list[tuple[int, int]]:
        """What has been touched, without overlaps."""
        found: list[tuple[int, int]] = []
        for low, high in sorted(self.touched):
            first = max(low, found[-1][1]) if found else low
            if first < high:
                found.append((first, high))
        return found

    @property
    def is_open(self) -> bool:
        """Whether some of it is still to be written."""
        if not self.writes or self.end is None:
            return self.writes and not self.touched
        return sum(high - low for low, high in self._touched_once()) < self.end - self.begin


def show(assembly: str, known_frames: FrameRule) -> str:
    """The assembly with a call before each access that nothing announces."""
    if ".intel_syntax" in assembly:
        raise BuildError("norn reads assembly in AT&T syntax only: leave out -masm=intel and .intel_syntax")
    lines = assembly.split("\n")
    return "\n".join(_Rewriter(lines, _constants(lines), known_frames).rewrite())


def _constants(lines: list[str]) -> frozenset[str]:
    """The symbols of memory that never changes."""
    found: set[str] = set()
    is_constant = True
    for line in lines:
        if not line:
            continue
        if line[0] == "\t":
            if match := _SECTION.match(line):
                is_constant = (match[1] or match[2]).startswith(_CONSTANT_SECTIONS)
        elif is_constant and (match := _LABEL.match(line)):
            found.add(match[1])
    return frozenset(found)


class _Rewriter:
    def __init__(self, lines: list[str], constants: frozenset[str], known_frames: FrameRule) -> None:
        self._known_frames = known_frames
        self._lines = lines
        self._new: list[str] = []
        self._values = Values(constants)
        self._announced: list[_Announced] = []
        self._known: Ranges = ()  # offsets of the frame that others may know
        self._has_wide_registers = False
        self._prefixes: list[str] = []  # of inline assembly, waiting for their instruction

    def rewrite(self) -> list[str]:
        in_assembly = False
        for index, line in enumerate(self._lines):
            first = line[:1]
            if "#" in line[:2]:  # gcc's marks are at the beginning of the line, clang's behind a tab
                mark = line.strip()
                if mark in ("#APP", "#NO_APP"):
                    in_assembly = mark == "#APP"
                    self._forget()
            elif in_assembly:
                self._inline(line)
                continue
            elif first in ("\t", " "):
                if line[1:2] == ".":
                    if line.startswith("\t.cfi_startproc"):
                        self._begin_function(index)
                elif (instruction := x86.parsed(line)) is not None:
                    if line.endswith(fresh_frames.MARK):
                        self._values.follow(*instruction[:3])
                    else:
                        self._instruction(*instruction)
            elif first and (match := _LABEL.match(line)) and not _MARKER_LABEL.match(match[1]):
                self._forget()
            self._new.append(line)
        return self._new

    def _begin_function(self, index: int) -> None:
        end = index
        while end < len(self._lines) and not self._lines[end].startswith("\t.cfi_endproc"):
            end += 1
        text = "\n".join(self._lines[index:end])
        self._has_wide_registers = x86.uses_wide_registers(text)
        self._known = self._known_frames(text)
        self._values.begin_function()
        self._announced.clear()

    def _forget(self) -> None:
        self._values.forget()
        self._announced.clear()

    def _instruction(self, mnemonic: str, parts: tuple[str, ...], memory: int, prefix: str) -> None:
        if mnemonic in ("call", "callq"):
            self._call(parts[0])
            return
        if _STRING.match(mnemonic) and (not parts or "%xmm" not in parts[0] + parts[-1]):
            self._string_operation(mnemonic, prefix)
            return
        if memory >= 0:
            self._touch(mnemonic, parts, memory, prefix)
        self._values.follow(mnemonic, parts, memory)
        if _ENDS_BLOCK.match(mnemonic):
            self._forget()

    def _call(self, target: str) -> None:
        name = target.removesuffix("@PLT")
        if target.startswith("*") and not target.startswith("*%"):
            self._touch("call", (target,), 0, "")
        if name.startswith("norn_fresh_"):  # keeps all registers (fresh_frames.py)
            return
        hook = _HOOK.match(name)
        if hook is None:
            self._announced.clear()
            self._values.call()
            return
        address = self._values.register("rdi")
        what, size_name, pointer, bits = hook.groups()
        size: int | None
        if bits is not None:
            what, size = "read", int(bits) // 8
        elif pointer is not None:
            what, size = ("write" if pointer == "vptr_update" else "read"), 8
        elif size_name == "_range":
            terms, offset = self._values.register("rsi")
            size = None if terms else offset
        else:
            size = int(size_name)
        end = None if size is None else address[1] + size
        # What was announced before is done, but for a copy, which waits for its read.
        self._announced = [each for each in self._announced if each.is_copy and each.is_open]
        self._announced.append(
            _Announced(
                *address,
                end,
                "write" in what,
                "read" in what,
                len(self._new),
                is_copy=name.startswith("__norn_copy"),
                is_range=size_name == "_range",
            )
        )
        self._values.call()
        if pointer == "vptr_read":
            self._values.note_pointer_to_table(address)

    def _string_operation(self, mnemonic: str, prefix: str) -> None:
        match = _STRING.match(mnemonic)
        assert match is not None
        operation, unit = match[1], {"b": 1, "w": 2, "l": 4, "q": 8}[match[2]]
        values = self._values
        terms, count = values.register("rcx")
        repeats = prefix.startswith("rep")
        size = (unit * count if not terms and prefix == "rep" else None) if repeats else unit
        unseen = [
            (register, kind)
            for register, kind in _STRING_OPERANDS[operation]
            if not self._is_seen(values.register(register), size, kind == x86.WRITE)
            # Arguments of a call that is being prepared: nobody knows them yet.
            and values.register(register) != values.register("rsp")
        ]
        if len(unseen) == 1 and size is not None:
            register, kind = unseen[0]
            self._make_visible(f"(%{register})", x86.Effect(kind, size), is_locked=False)
        elif unseen:
            self._gap()
        for register, _ in _STRING_OPERANDS[operation]:
            terms, offset = values.register(register)
            values.set_register(register, None if size is None else (terms, offset + size))
        if repeats:
            values.set_register("rcx", ((), 0))
        if operation == "lods":
            values.set_register("rax", None)

    def _touch(self, mnemonic: str, parts: tuple[str, ...], memory: int, prefix: str) -> None:
        """An instruction of the compiler touches memory: has it been announced?"""
        effect = x86.effect_of(mnemonic, parts, memory)
        if effect.kind == x86.NONE:
            return
        address = self._values.address(parts[memory])
        if address is None:
            return
        kinds = [True] if effect.kind == x86.WRITE else [False] if effect.kind == x86.READ else [False, True]
        size = effect.size or None
        if not all(self._is_seen(address, size, kind) for kind in kinds):
            is_locked = prefix == "lock" or mnemonic.startswith("xchg")
            self._make_visible(parts[memory], effect, is_locked)

    def _is_seen(self, address: Value, size: int | None, writes: bool) -> bool:
        terms, offset = address
        if not terms:
            return True  # address 0 and its like: a crash, at most
        if terms in self._values.tables and not writes:
            return True
        end = None if size is None else offset + size
        for each in self._announced:
            if (each.writes if writes else each.reads) and each.takes(terms, offset, end):
                if end is not None:
                    each.touched.append((offset, end))
                return True
        if self._values.is_frame(terms) and not self._is_known(terms, offset):
            return True
        return not writes and any(
            self._turn_into_read(each) for each in self._announced if each.takes(terms, offset, end)
        )

    def _is_known(self, terms: Terms, offset: int) -> bool:
        """Whether other threads may know this memory of the frame. (An index may lead anywhere.)"""
        if terms != self._values.frame[0]:
            return bool(self._known)
        return any(begin <= offset < end for begin, end in self._known)

    def _turn_into_read(self, write: _Announced) -> bool:
        """gcc reports the write to a bit-field only, and then reads what is beside it and writes both.

        So what it reports is the read, and the write is reported where the store comes.
        """
        line = self._new[write.line]
        if write.touched or not write.writes or "__tsan_" not in line:
            return False
        self._new[write.line] = line.replace("write", "read")
        write.writes, write.reads = False, True
        return True

    def _make_visible(self, operand: str, effect: x86.Effect, is_locked: bool) -> None:
        # The call closes a write that was announced: its store is reported by itself, then.
        is_inside_copy = any(each.is_copy and each.is_open for each in self._announced)
        self._announced = [each for each in self._announced if not each.is_open]
        if is_inside_copy or not self._can_report(operand, effect, is_locked):
            self._gap()
        else:
            self._report(operand, effect)

    def _can_report(self, operand: str, effect: x86.Effect, is_locked: bool) -> bool:
        return (
            effect.kind != x86.UNKNOWN
            and (effect.kind != x86.UPDATE or is_locked)
            and 0 < effect.size < _LARGEST
            and not self._has_wide_registers
            and not operand.startswith("%gs:")
        )

    def _report(self, operand: str, effect: x86.Effect, more: int = 0) -> None:
        place = operand.lstrip("*")
        if "(%rsp" in place:
            place = moved(place, 128 + 16)
        self._new += ["\tleaq\t-128(%rsp), %rsp", "\tpushq\t%rsi", "\tpushq\t%rdi"]
        if place.startswith("%fs:"):
            self._new += self._thread_local(place.removeprefix("%fs:"))
        else:
            self._new.append(f"\tleaq\t{place}, %rdi")
        self._new += [
            f"\tmovl\t${effect.size | _KIND_CODES[effect.kind] | more}, %esi",
            "\tcall\tnorn_unseen",
            "\tpopq\t%rdi",
            "\tpopq\t%rsi",
            "\tleaq\t128(%rsp), %rsp",
        ]

    @staticmethod
    def _thread_local(place: str) -> list[str]:
        """The address of a thread-local variable: relative to what is at %fs:0."""
        if "(" in place:
            return [f"\tleaq\t{place}, %rdi", "\taddq\t%fs:0, %rdi"]
        return ["\tmovq\t%fs:0, %rdi", f"\tleaq\t{place}(%rdi), %rdi"]

    def _gap(self) -> None:
        self._new += [
            "\tleaq\t-128(%rsp), %rsp",
            "\tpushq\t%rsi",
            "\tpushq\t%rdi",
            "\tcall\tnorn_unseen_gap",
            "\tpopq\t%rdi",
            "\tpopq\t%rsi",
            "\tleaq\t128(%rsp), %rsp",
        ]

    def _inline(self, line: str) -> None:
        """Each statement on a line of its own, with a call before it if it touches memory."""
        if line.lstrip().startswith(".") and not _DATA_AS_CODE.match(line):
            self._new.append(line)
            return
        for statement in line.split("#", 1)[0].split(";"):
            text = statement.strip()
            while label := _INLINE_LABEL.match(text):
                self._new.append(label[0])
                text = text[label.end() :]
            words = text.split(None, 1)
            while words and words[0] in x86.PREFIXES:
                self._prefixes.append(words[0])
                words = words[1].split(None, 1) if len(words) > 1 else []
            if not words:
                continue
            self._inline_instruction(words[0], x86.split(words[1]) if len(words) > 1 else ())
            self._new.append("\t" + " ".join([*self._prefixes, *words]))
            self._prefixes.clear()

    def _inline_instruction(self, mnemonic: str, parts: tuple[str, ...]) -> None:
        """No compiler reports what inline assembly does. It orders accesses as the processor does."""
        if mnemonic.startswith("."):
            if _DATA_AS_CODE.match(mnemonic):
                self._gap()
            return
        leaves = mnemonic.startswith(("call", "jmp")) and not _is_local_jump(parts)
        is_string = _STRING.match(mnemonic) and not any("%xmm" in part for part in parts)
        if leaves or is_string or mnemonic in _SYSTEM_CALLS:
            self._gap()
            return
        memory = x86.memory_operand(mnemonic, parts)
        if memory < 0 or "(%rsp" in parts[memory]:  # a barrier, or below the frame
            return
        effect = x86.effect_of(mnemonic, parts, memory)
        if effect.kind == x86.NONE or self._values.address(parts[memory]) is None:
            return
        is_locked = "lock" in self._prefixes or mnemonic.startswith("xchg")
        if self._can_report(parts[memory], effect, is_locked):
            self._report(parts[memory], effect, _BY_ASSEMBLY)
        else:
            self._gap()


def _is_local_jump(parts: tuple[str, ...]) -> bool:
    return len(parts) == 1 and re.match(r"^(?:\d+[fb]|\.L\w+)$", parts[0]) is not None
