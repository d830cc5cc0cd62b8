"""Which value each register and each slot of the frame holds, as far as one straight line of assembly says.

A value is a sum of numbered ones and an offset. The same operation on the same values has the same number, so
that two ways to compute an address can be told to give the same. What is not understood gives a new number.
For `unseen`, which asks whether a hook was given the address that an instruction touches.
"""

from __future__ import annotations

import re

from norn.build import operands as x86

# Numbered values, each with how often it counts.
Terms = tuple[tuple[int, int], ...]
Value = tuple[Terms, int]

_MEMORY = re.compile(r"^\*?(%[fg]s:)?([^()%$]*)(?:\((%\w+)?(?:,\s*(%\w+))?(?:,\s*(\d))?\))?$")
_SYMBOL = re.compile(r"([A-Za-z_.$][\w.$]*)((?:[+-]\w+)*)(@\w+)?((?:[+-]\w+)*)")
_CLOBBERED = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")
# Instructions without operands that leave all of them.
_CHANGES_NO_REGISTER = frozenset(
    [
        "nop",
        "ret",
        "retq",
        "repz",
        "rep",
        "endbr64",
        "pause",
        "mfence",
        "lfence",
        "sfence",
        "ud2",
        "hlt",
        "cld",
        "std",
        "clc",
        "stc",
        "cmc",
        "vzeroupper",
    ]
)
# What belongs to the compiler: constants, and guards of static variables (which the C++ library locks); and
# what fresh_frames.py looks at.
_INTERNAL = (".L", "_ZGV", "__gcov", "norn_has_unseen_writes")


class Values:
    def __init__(self, constants: frozenset[str]) -> None:
        """constants: symbols of memory that never changes."""
        self._constants = constants
        self.begin_function()

    def begin_function(self) -> None:
        self._numbers: dict[object, int] = {}
        self.frame, self._stack = self._new_value(), self._new_value()
        self._frame_numbers = {self.frame[0][0][0], self._stack[0][0][0]}
        self.forget()

    def forget(self) -> None:
        """Code comes from somewhere else."""
        self._registers: dict[str, Value] = {}
        self._slots: dict[tuple[int, int], tuple[int, Value]] = {}  # by offset to %rbp and size
        self.tables: set[Terms] = set()  # addresses of memory that never changes
        self._pointers: set[Value] = set()  # where such addresses are

    def note_pointer_to_table(self, address: Value) -> None:
        self._pointers.add(address)

    def set_register(self, name: str, value: Value | None) -> None:
        if value is None:
            self._registers.pop(name, None)
        else:
            self._registers[name] = value

    def _number(self, *key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _new_value(self) -> Value:
        return (((self._number("new", len(self._numbers)), 1),), 0)

    def register(self, name: str) -> Value:
        """The value of a register, by its name without the percent sign."""
        full = x86.REGISTERS.get(name, (name, 8))[0]
        value = self._registers.get(full)
        if value is None:
            value = self.frame if full == "rbp" else self._stack if full == "rsp" else self._new_value()
            self._registers[full] = value
        return value

    def _thread_pointer(self) -> Value:
        return (((self._number("thread pointer"), 1),), 0)

    def is_frame(self, terms: Terms) -> bool:
        return any(number in self._frame_numbers for number, _ in terms)

    def _derived(self, *parts: object) -> Value:
        """The result of an operation on values: the same for the same ones."""
        number = self._number(*parts)
        if any(isinstance(part, tuple) and self.is_frame(part[0]) for part in parts):
            self._frame_numbers.add(number)
        return (((number, 1),), 0)

    def _sum(self, one: Value, other: Value, times: int = 1) -> Value:
        if not other[0]:
            return (one[0], one[1] + other[1] * times)
        if not one[0] and times == 1:
            return (other[0], one[1] + other[1])
        terms = dict(one[0])
        for number, count in other[0]:
            terms[number] = terms.get(number, 0) + count * times
        kept = tuple(sorted(term for term in terms.items() if term[1] != 0))
        return (kept, one[1] + other[1] * times)

    def address(self, operand: str) -> Value | None:
        """The address of a memory operand; nothing if it is memory that never changes, or no address."""
        match = _MEMORY.match(operand)
        if match is None:
            return self._new_value()
        segment, displacement, base, index, scale = match.groups()
        value: Value = ((), 0)
        if displacement:
            if symbol := _SYMBOL.match(displacement):
                name, more, relocation, and_more = symbol.groups()
                if (
                    name.startswith(_INTERNAL)
                    or name in self._constants
                    or "got" in (relocation or "").lower()
                ):
                    return None
                value = (((self._number("symbol", name, relocation), 1),), evaluated(more + and_more))
            else:
                value = ((), evaluated(displacement))
        if segment:
            if not base and not value[0]:
                return None  # the thread's own descriptor
            value = self._sum(value, self._thread_pointer())
        if base and base != "%rip":
            value = self._sum(value, self.register(base[1:]))
        if index:
            value = self._sum(value, self.register(index[1:]), int(scale or 1))
        return value

    def call(self) -> None:
        """What a call leaves in registers is not known."""
        for name in _CLOBBERED:
            self._registers.pop(name, None)

    def follow(self, mnemonic: str, parts: tuple[str, ...], memory: int) -> None:
        """Notes what an instruction leaves in registers and in slots of the frame."""
        if not parts:
            if mnemonic in ("cltq", "cwtl", "cqto", "cltd"):
                target = "rax" if mnemonic in ("cltq", "cwtl") else "rdx"
                self._registers[target] = self._derived(mnemonic, self.register("rax"))
            elif mnemonic not in _CHANGES_NO_REGISTER:
                self._registers.clear()
            return
        last = parts[-1]
        if memory == len(parts) - 1:
            if x86.effect_of(mnemonic, parts, memory).kind not in (x86.READ, x86.NONE):
                self._store(mnemonic, parts)
            elif mnemonic.startswith(("mul", "imul", "div", "idiv")):
                self._registers.pop("rax", None)
                self._registers.pop("rdx", None)
            return
        if not last.startswith("%") or last[1:] not in x86.REGISTERS:
            return
        full, size = x86.REGISTERS[last[1:]]
        self._registers[full] = self._result(mnemonic, parts, memory, full, size)
        if len(parts) == 1 and mnemonic.startswith(("mul", "imul", "div", "idiv")):
            self._registers.pop("rax", None)
            self._registers.pop("rdx", None)
        elif mnemonic.startswith(("xchg", "xadd", "cmpxchg")):
            for part in parts:
                if part[1:] in x86.REGISTERS:
                    self._registers.pop(x86.REGISTERS[part[1:]][0], None)
            self._registers.pop("rax", None)

    def _result(self, mnemonic: str, parts: tuple[str, ...], memory: int, full: str, size: int) -> Value:
        if mnemonic.startswith(("cmp", "test", "push", "bt", "nop")) and not mnemonic.startswith("cmpxchg"):
            return self.register(full)
        if full in ("rsp", "rbp"):
            return self._stack if full == "rsp" else self.frame
        if mnemonic.startswith("rd"):  # a random number, or one of the processor's
            return self._new_value()
        if mnemonic.startswith("lea"):
            address = self.address(parts[0]) or self._derived("constant address", parts[0])
            return address if size == 8 else self._cut(address, size)
        source = parts[0]
        if mnemonic in ("movq", "movl", "movabsq", "mov"):
            if memory == 0:
                return self._loaded(source, size)
            if source.startswith("$"):
                return self._immediate(source[1:])
            if source[1:] in x86.REGISTERS:
                value = self.register(source[1:])
                return value if size == 8 else self._cut(value, size)
            return self._new_value()
        if size == 8 and memory < 0:
            linear = self._linear(mnemonic, parts, full)
            if linear is not None:
                return linear
        if memory >= 0:
            return self._derived(mnemonic, size, self._loaded(parts[memory], 0), self.register(full))
        inputs = [
            self.register(part[1:]) if part[1:] in x86.REGISTERS else part
            for part in (parts if not mnemonic.startswith(("movs", "movz")) else parts[:-1])
        ]
        return self._derived(mnemonic, size, *inputs)

    def _cut(self, value: Value, size: int) -> Value:
        """The lower part. Constants, which addresses of symbols are too, are small enough."""
        return value if not value[0] else self._derived("cut", size, value)

    def _linear(self, mnemonic: str, parts: tuple[str, ...], full: str) -> Value | None:
        """The result of an operation that is a sum, or a product with a number."""
        old = self.register(full)
        name = mnemonic.removesuffix("q")
        if name in ("add", "sub") and len(parts) == 2:
            source = parts[0]
            if source.startswith("$"):
                value = self._immediate(source[1:])
            elif source[1:] in x86.REGISTERS:
                value = self.register(source[1:])
            else:
                return None
            return self._sum(old, value, 1 if name == "add" else -1)
        if name in ("sal", "shl") and parts[0].startswith("$"):
            return self._sum(((), 0), old, 1 << evaluated(parts[0]))
        if name in ("sal", "shl") and len(parts) == 1:
            return self._sum(((), 0), old, 2)
        if name == "imul" and parts[0].startswith("$"):
            factor = old if len(parts) == 2 else self.register(parts[1][1:])
            return self._sum(((), 0), factor, evaluated(parts[0]))
        if name == "neg":
            return self._sum(((), 0), old, -1)
        return None

    def _immediate(self, text: str) -> Value:
        if symbol := _SYMBOL.match(text):
            offset = evaluated(symbol[2] + symbol[4])
            return (((self._number("symbol", symbol[1], symbol[3]), 1),), offset)
        return ((), evaluated(text))

    def _loaded(self, operand: str, size: int) -> Value:
        if operand == "%fs:0":
            return self._thread_pointer()
        address = self.address(operand)
        if address is None:
            return self._derived("constant", operand)
        if address in self._pointers:
            table = self._new_value()
            self.tables.add(table[0])
            return table
        if address[0] != self.frame[0]:
            return self._new_value()
        known = self._slots.get((address[1], size))
        if known is None:
            known = (size or 8, self._new_value())
            self._slots[(address[1], size)] = known
        return known[1]

    def _store(self, mnemonic: str, parts: tuple[str, ...]) -> None:
        address = self.address(parts[-1])
        if address is None or not self.is_frame(address[0]):
            return
        slots = self._slots
        if address[0] != self.frame[0]:
            if address[0] != self._stack[0]:
                slots.clear()
            return
        size = x86.effect_of(mnemonic, parts, len(parts) - 1).size or 64
        begin, end = address[1], address[1] + size
        for key in [key for key, slot in slots.items() if key[0] < end and begin < key[0] + slot[0]]:
            del slots[key]
        source = parts[0]
        if mnemonic in ("movq", "movl") and source[1:] in x86.REGISTERS:
            slots[(begin, size)] = (size, self.register(source[1:]))
        elif mnemonic in ("movq", "movl") and source.startswith("$"):
            slots[(begin, size)] = (size, self._immediate(source[1:]))


def evaluated(text: str) -> int:
    """The sum of numbers, as they stand behind symbols."""
    total = 0
    for sign, number in re.findall(r"([+-]?)\s*(0x[0-9a-fA-F]+|\d+)", text or ""):
        total += -int(number, 0) if sign == "-" else int(number, 0)
    return total


def moved(place: str, distance: int) -> str:
    """The operand relative to %rsp, after %rsp was moved down."""
    displacement, _, rest = place.partition("(")
    return f"{distance + evaluated(displacement)}({rest}" if not _SYMBOL.match(displacement) else place
