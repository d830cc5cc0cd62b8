"""Two threads and one library function: which outcomes there are, for each function that norn models.

Every case is a function of one C program that is made from this table (`write_source`). In all of them the
thread R calls the function, and W changes what it uses:

    both, compared, found   R uses two strings, W changes one, then the other: each may be seen old or new
    copy                    R copies a to t, W changes a and looks at t: between R's read and its write, too
    filled                  R fills a, then b, and W looks at both
    grow                    R looks through s, which W makes longer, letter by letter

The outcome is a number that the program computes from what it has seen. That all outcomes of a case are
found, and no others, is what tests/test_library_functions.py checks.
"""

from __future__ import annotations

from dataclasses import dataclass

ALL = frozenset({0, 1, 2, 3})  # first (1) and second (2) place: old or new


@dataclass(frozen=True)
class Case:
    function: str  # of the C library
    reader: str  # what R does
    writer: str  # what W does
    after: str  # what main does then: sets `outcome`
    outcomes: frozenset[int]


def both(function: str, reader: str) -> Case:
    """Of `first` and `second`, which R sets."""
    return Case(function, reader, "a[0] = 'n'; wa[0] = L'n'; b[0] = 'n'; wb[0] = L'n';",
                "outcome = first + 2 * second;", ALL)  # fmt: skip


def compared(function: str, reader: str) -> Case:
    """Of "aaa" and "bbb", which become each other: they are equal only in between."""
    after = "outcome = result < 0 ? 0 : result == 0 ? 1 : 2;"
    return Case(function, reader, _EXCHANGED, after, frozenset({0, 1, 2}))


def found(function: str, reader: str) -> Case:
    """The one in the other: only in between."""
    return Case(function, reader, _EXCHANGED, "outcome = result != 0;", frozenset({0, 1}))


def copy(function: str, reader: str) -> Case:
    """To t, which W looks at."""
    after = "outcome = (t[0] == 'n' ? 2 : 0) + (seen == 'o' || seen == 'n' ? 0 : 1);"
    return Case(function, reader, "a[0] = 'n'; seen = t[0];", after, ALL)


def filled(function: str, reader: str) -> Case:
    """Two places, which W looks at: a, then b."""
    after = "outcome = (seen == 'n') + 2 * (second == 'n');"
    return Case(function, reader, "seen = a[0]; second = b[0];", after, ALL)


def stepped(function: str, reader: str) -> Case:
    """R takes a state a step further, W sets it to another one. If it does so in between, that is lost."""
    after = f"""
        union state last = state, one, two;
        memcpy(&state, &start, sizeof state); {reader}; one = state;
        memcpy(&state, &other, sizeof state); {reader}; two = state;
        outcome = same(&last, &one) ? 0 : same(&last, &other) ? 1 : same(&last, &two) ? 2 : 9;
    """
    return Case(function, f"{reader};", "memcpy(&state, &other, sizeof state);", after, frozenset({0, 1, 2}))


def grow(function: str, reader: str) -> Case:
    """Of s, which W makes longer."""
    writer = "s[0] = '1'; s[1] = '1'; ws[0] = L'1'; ws[1] = L'1';"
    return Case(function, reader, writer, "outcome = length;", frozenset({0, 1, 2}))


_EXCHANGED = "memset(less, 'b', 3); wmemset(wless, L'b', 3); memset(more, 'a', 3); wmemset(wmore, L'a', 3);"
_SORTED = """outcome = !memcmp(a, "dlo", 3) ? 0 : !memcmp(a, "nlo", 3) ? 1 : !memcmp(a, "dln", 3) ? 2 : 9;"""
_LETTERS = "first = out[0] == 'n'; second = out[3] == 'n';"
_CALL_V = (
    "static int {0}_(char *out, const char *pattern, ...) "
    "{{ va_list l; va_start(l, pattern); {1} va_end(l); return 0; }}"
)

# Functions with a va_list, or that call back: defined before the cases.
HELPERS = "\n".join(
    [
        _CALL_V.format("vsnprintf", "vsnprintf(out, 32, pattern, l);"),
        _CALL_V.format("vsprintf", "vsprintf(out, pattern, l);"),
        _CALL_V.format(
            "vasprintf", "char *made; vasprintf(&made, pattern, l); strcpy(out, made); free(made);"
        ),
        _CALL_V.format("vfprintf", "OPEN vfprintf(f, pattern, l); back(f, out);"),
        _CALL_V.format("vdprintf", "OPEN vdprintf(fileno(f), pattern, l); back(f, out);"),
    ]
)

CASES = [
    both("snprintf", f'char out[32]; snprintf(out, 32, "%s%s", a, b); {_LETTERS}'),
    both("snprintf", f'char out[32]; snprintf(out, 32, "%2$s%1$s", b, a); {_LETTERS}'),
    both("snprintf", f'char out[32]; snprintf(out, 32, "%.3s%-*.*s|%d", a, 4, 3, b, 7); {_LETTERS}'),
    both("snprintf", 'char out[32]; snprintf(out, 32, "%.1s%n%s", a, &count, b);'
         " first = out[0] == 'n'; second = out[1] == 'n'; assert(count == 1);"),
    both("snprintf", 'char out[32]; snprintf(out, 32, "%ls%ls", wa, wb);'
         " first = out[0] == 'n'; second = out[3] == 'n';"),
    both("sprintf", f'char out[32]; sprintf(out, "%s%s", a, b); {_LETTERS}'),
    both("vsnprintf", f'char out[32]; vsnprintf_(out, "%s%s", a, b); {_LETTERS}'),
    both("vsprintf", f'char out[32]; vsprintf_(out, "%s%s", a, b); {_LETTERS}'),
    both("asprintf", f'char *out; asprintf(&out, "%s%s", a, b); {_LETTERS} free(out);'),
    both("vasprintf", f'char out[32]; vasprintf_(out, "%s%s", a, b); {_LETTERS}'),
    both("fprintf", f'char out[32]; OPEN fprintf(f, "%s%s", a, b); back(f, out); {_LETTERS}'),
    both("vfprintf", f'char out[32]; vfprintf_(out, "%s%s", a, b); {_LETTERS}'),
    both("dprintf", f'char out[32]; OPEN dprintf(fileno(f), "%s%s", a, b); back(f, out); {_LETTERS}'),
    both("vdprintf", f'char out[32]; vdprintf_(out, "%s%s", a, b); {_LETTERS}'),
    both("writev", "char out[32]; OPEN struct iovec v[2] = {{a, 3}, {b, 3}};"
         f" writev(fileno(f), v, 2); back(f, out); {_LETTERS}"),
    compared("strcmp", "result = strcmp(less, more);"),
    compared("strncmp", "result = strncmp(less, more, 3);"),
    compared("memcmp", "result = memcmp(less, more, 3);"),
    compared("strcasecmp", "result = strcasecmp(less, more);"),
    compared("strncasecmp", "result = strncasecmp(less, more, 3);"),
    compared("strcoll", "result = strcoll(less, more);"),
    compared("strverscmp", "result = strverscmp(less, more);"),
    compared("wcscmp", "result = wcscmp(wless, wmore);"),
    compared("wcsncmp", "result = wcsncmp(wless, wmore, 3);"),
    found("strstr", "result = strstr(less, more) != NULL;"),
    found("strcasestr", "result = strcasestr(less, more) != NULL;"),
    found("strpbrk", "result = strpbrk(less, more) != NULL;"),
    found("strspn", "result = strspn(less, more) != 0;"),
    found("strcspn", "result = strcspn(less, more) == 0;"),
    found("memmem", "result = memmem(less, 3, more, 3) != NULL;"),
    both("strcat", f'char out[8] = ""; strcat(out, a); strcat(out, b); {_LETTERS}'),
    both("strncat", f'char out[8] = ""; strncat(out, a, 3); strncat(out, b, 3); {_LETTERS}'),
    filled("readv", "struct iovec v[2] = {{a, 1}, {b, 1}}; OPEN"
           ' pwrite(fileno(f), "nn", 2, 0); readv(fileno(f), v, 2); fclose(f);'),
    # The separator becomes another letter of the text.
    Case("strtok_r", "char *rest; char *p = strtok_r(pair, sep, &rest); length = strlen(p);",
         "sep[0] = 'y'; pair[1] = 'z';", "outcome = length;", frozenset({1, 2, 3})),
    Case("strsep", "char *rest = pair; char *p = strsep(&rest, sep); length = strlen(p);",
         "sep[0] = 'y'; pair[1] = 'z';", "outcome = length;", frozenset({1, 2, 3})),
    # "old" is sorted; if W writes in between, that is lost.
    Case("qsort", "qsort(a, 3, 1, by_letter);", "a[0] = 'n';", _SORTED, frozenset({0, 1, 2})),
    Case("qsort_r", "qsort_r(a, 3, 1, by_letter_r, NULL);", "a[0] = 'n';", _SORTED, frozenset({0, 1, 2})),
    stepped("rand_r", "rand_r(&state.seed)"),
    stepped("erand48", "erand48(state.parts)"),
    stepped("nrand48", "nrand48(state.parts)"),
    stepped("jrand48", "jrand48(state.parts)"),
    copy("memcpy", "memcpy(t, a, 4);"),
    copy("memmove", "memmove(t, a, 4);"),
    copy("mempcpy", "mempcpy(t, a, 4);"),
    copy("bcopy", "bcopy(a, t, 4);"),
    copy("strcpy", "strcpy(t, a);"),
    copy("stpcpy", "stpcpy(t, a);"),
    copy("strncpy", "strncpy(t, a, 4);"),
    copy("stpncpy", "stpncpy(t, a, 4);"),
    copy("memccpy", "memccpy(t, a, 0, 4);"),
    copy("sprintf", 'sprintf(t, "%s", a);'),
    copy("snprintf", 'snprintf(t, 4, "%s", a);'),
    copy("strcat", "t[0] = 0; strcat(t, a);"),
    copy("strncat", "t[0] = 0; strncat(t, a, 3);"),
    copy("wmemcpy", "wmemcpy((wchar_t *)t, (const wchar_t *)a, 1);"),
    copy("__atomic_load", "__atomic_load((struct odd *)a, (struct odd *)t, 5);"),
    copy("__atomic_store", "__atomic_store((struct odd *)t, (struct odd *)a, 5);"),
    grow("strlen", "length = strlen(s);"),
    grow("strnlen", "length = strnlen(s, 5);"),
    grow("strchr", "length = strchr(s, 0) - s;"),
    grow("strrchr", "length = strrchr(s, 0) - s;"),
    grow("strchrnul", "length = strchrnul(s, '!') - s;"),
    grow("memchr", "length = (char *)memchr(s, 0, 8) - s;"),
    grow("rawmemchr", "length = (char *)rawmemchr(s, 0) - s;"),
    grow("memrchr", "char *p = memrchr(s, '1', 8); length = p == NULL ? 0 : p - s + 1;"),
    grow("wcslen", "length = wcslen(ws);"),
    grow("wcscpy", "wchar_t out[8]; wcscpy(out, ws); length = out[0] == 0 ? 0 : out[1] == 0 ? 1 : 2;"),
    grow("strdup", "char *p = strdup(s); length = strlen(p); free(p);"),
    grow("strndup", "char *p = strndup(s, 5); length = strlen(p); free(p);"),
    grow("puts", "puts(s); length = strlen(s);"),
    grow("fputs", "char out[32]; OPEN fputs(s, f); back(f, out); LENGTH"),
    grow("fwrite", "char out[32]; OPEN fwrite(s, 1, 4, f); back(f, out); LENGTH"),
    grow("write", "char out[32]; OPEN write(fileno(f), s, 4); back(f, out); LENGTH"),
    grow("pwrite", "char out[32]; OPEN pwrite(fileno(f), s, 4, 0); back(f, out); LENGTH"),
    grow("perror", "perror(s); length = strlen(s);"),
    grow("atoi", "int n = atoi(s); length = n == 11 ? 2 : n;"),
    grow("atol", "long n = atol(s); length = n == 11 ? 2 : n;"),
    grow("atoll", "long long n = atoll(s); length = n == 11 ? 2 : n;"),
    grow("atof", "double n = atof(s); length = n == 11 ? 2 : n;"),
    grow("strtol", "char *end; long n = strtol(s, &end, 10); length = end - s; assert(n <= 1 || n == 11);"),
    grow("strtoul", "char *end; strtoul(s, &end, 10); length = end - s;"),
    grow("strtoll", "char *end; strtoll(s, &end, 10); length = end - s;"),
    grow("strtoull", "char *end; strtoull(s, &end, 10); length = end - s;"),
    grow("strtod", "char *end; strtod(s, &end); length = end - s;"),
    grow("strtof", "char *end; strtof(s, &end); length = end - s;"),
    grow("strtold", "char *end; strtold(s, &end); length = end - s;"),
]  # fmt: skip

_BEFORE = """
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

struct odd { char letters[12]; };
char a[16] __attribute__((aligned(16))) = "old", b[16] = "old", t[16] __attribute__((aligned(16))) = "...";
char less[4] = "aaa", more[4] = "bbb", s[16], pair[8] = "x,y", sep[4] = ",", seen;
wchar_t wa[4] = L"old", wb[4] = L"old", wless[4] = L"aaa", wmore[4] = L"bbb", ws[8];
int first, second, result, length, count, outcome, number;

union state { unsigned seed; unsigned short parts[4]; } state = {1}, start = {1}, other = {5};
static int same(const union state *x, const union state *y) { return memcmp(x, y, sizeof *x) == 0; }

#define OPEN FILE *f = tmpfile();
#define LENGTH length = strlen(out);

static int by_letter(const void *x, const void *y) { return *(const char *)x - *(const char *)y; }
static int by_letter_r(const void *x, const void *y, void *more) { (void)more; return by_letter(x, y); }

// What was written to the file, which is closed.
static void back(FILE *f, char *out) {
    fflush(f);
    memset(out, 0, 32);
    pread(fileno(f), out, 31, 0);
    fclose(f);
}
"""

_MAIN = """
int main(int argc, char **argv) {
    number = atoi(argv[1]);
    pthread_t r, w;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    finish();
    assert(outcome != 0);  // each outcome is a failure of its own
    assert(outcome != 1);
    assert(outcome != 2);
    assert(outcome != 3);
    assert(outcome == 4);
    return 0;
}
"""


def write_source() -> str:
    """The program. Its argument says which case; the failed assertion what came out."""
    parts = [_BEFORE, HELPERS]
    for name, code in (
        ("void *reader(void *unused)", [case.reader for case in CASES]),
        ("void *writer(void *unused)", [case.writer for case in CASES]),
        ("void *finish(void)", [case.after for case in CASES]),
    ):
        parts += [f"static {name} {{", "    switch (number) {"]
        parts += [f"    case {number}: {{ {body} break; }}" for number, body in enumerate(code)]
        parts += ["    }", "    return NULL;", "}"]
    return "\n".join([*parts, _MAIN])
