#!/bin/sh
# Concurrency Kit's lock-free ring and stack, built by its own configure script and make. See docs/real-programs.md.
#   tools/real/ck.sh [DIRECTORY]
. "$(dirname "$0")/common.sh"

fetch ck
source=$WORK/ck/source
extract "$source"
if [ ! -f "$source/built" ]; then
    # By default its atomics are inline assembly: norn sees them, but not that a loop of them waits.
    (cd "$source" && CC=norn-cc quietly ./configure --use-cc-builtins && quietly make -C src -j 2)
    touch "$source/built"
fi
for name in ring_spmc ring_mpmc stack_reuse; do
    norn-cc -DCK_USE_CC_BUILTINS=1 -I"$source/include" "$harnesses/ck/$name.c" "$source/src/libck.so" \
        -o "$WORK/ck/$name"
done
check 0 "$WORK/ck/ring_spmc"
check 0 "$WORK/ck/ring_mpmc"
check 1 "$WORK/ck/stack_reuse"
finish
