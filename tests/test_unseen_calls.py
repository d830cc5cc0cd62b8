"""Library functions whose accesses norn cannot see are named in warnings; others are not."""

import norn
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
