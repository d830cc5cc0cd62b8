"""Library functions whose accesses norn cannot see are named in warnings; others are not."""

import norn
from norn.build import unseen_calls
from tests.conftest import check

PROGRAM = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv) {
    int numbers[2] = {2, argc};
    char text[8];
    memcpy(text, "a b", 4);
    snprintf(text, sizeof text, "%d", numbers[0]);
    BODY
    return printf("%s %f %s", text, sqrt(argc), argv[0]) < 0;
}
"""


def warnings_about(program, body: str) -> list[str]:
    result = check(program(PROGRAM.replace("BODY", body)), cflags="-Wno-all")
    assert result.verdict is norn.Verdict.VERIFIED
    return [warning for warning in result.warnings if " calls " in warning]


def test_modelled_and_harmless_functions_need_no_warning(program):
    assert warnings_about(program, "(void)compare; strcat(text, text + 1);") == []


def test_unseen_functions_are_named(program):
    sort, token = warnings_about(program, 'qsort(numbers, 2, sizeof(int), compare); strtok(text, " ");')
    assert "program.c calls qsort, which touches memory" in sort
    assert "program.c calls strtok, which keeps hidden state" in token


def test_standard_input_is_said_to_be_empty(program):
    """By the name in the source, whatever the headers of libc make of it."""
    scan, get = warnings_about(program, 'scanf("%d", numbers); fgets(text, 8, stdin);')[::-1]
    assert "program.c calls scanf, which reads standard input, which is empty under norn" in scan
    assert "program.c calls fgets" in get and "standard input is empty" in get


def test_other_names_of_a_newer_libc():
    assert unseen_calls._name_in_source("__isoc23_strtol") == "strtol"
