#!/bin/sh
# pigz, the whole program, built by its own Makefile, with zlib built by norn-cc too. See docs/real-programs.md.
#   tools/real/pigz.sh [DIRECTORY]
. "$(dirname "$0")/common.sh"

fetch zlib
zlib=$WORK/zlib/source
extract "$zlib"
if [ ! -f "$zlib/built" ]; then
    (cd "$zlib" && CC=norn-cc quietly ./configure --static && quietly make -j 2 libz.a)
    touch "$zlib/built"
fi

fetch pigz
source=$WORK/pigz/source
extract "$source"
if [ ! -f "$source/built" ]; then
    quietly make -C "$source" CC=norn-cc CFLAGS="-I$zlib" LIBS="-lm -lpthread $zlib/libz.a" pigz
    touch "$source/built"
fi

# Blocks have 32 KiB at least: one, and one of them with another of one byte.
one=$WORK/pigz/one-block
two=$WORK/pigz/two-blocks
awk 'BEGIN { for (i = 0; i < 4096; ++i) printf "pigz %02d\n", i % 100 }' > "$one"
(cat "$one" && printf .) > "$two"
gzip -c "$two" > "$two-packed.gz"

# Each check has a program, and a report, of its own.
for name in pack unpack pack-two; do
    cp "$source/pigz" "$WORK/pigz/$name"
done
check 0 "$WORK/pigz/pack" -- -p 2 -b 32 -k -f "$one"
check 0 "$WORK/pigz/unpack" -- -p 2 -d -k -f "$two-packed.gz"
# Too many for all: those in which a thread is interrupted at most once.
check 3 "$WORK/pigz/pack-two" --preemptions 1 -- -p 2 -b 32 -k -f "$two"
finish
