#!/bin/sh
# liblzma's threaded encoder and decoder, built by its own configure script. See docs/real-programs.md.
#   tools/real/xz.sh [DIRECTORY]
. "$(dirname "$0")/common.sh"

fetch xz-utils

# build DIRECTORY: only what the harnesses need of it.
build() {
    [ ! -f "$1/built" ] || return 0
    (
        cd "$1"
        quietly ./configure CC=norn-cc --disable-shared --enable-threads=posix --enable-debug --enable-encoders=lzma1,lzma2 \
            --enable-decoders=lzma1,lzma2 --enable-checks=crc32 --disable-assembler --disable-nls --disable-xz \
            --disable-xzdec --disable-lzmadec --disable-lzmainfo --disable-scripts --disable-doc
        quietly make -C src/liblzma -j 2
    )
    touch "$1/built"
}

# harness NAME BUILT SOURCE OPTION...
harness() {
    name=$1
    built=$2
    code=$3
    shift 3
    norn-cc "$@" -I"$built/src/liblzma/api" "$harnesses/xz/$code.c" "$built/src/liblzma/.libs/liblzma.a" \
        -o "$WORK/xz-utils/$name"
}

fixed=$WORK/xz-utils/source
extract "$fixed"
build "$fixed"
harness one-thread "$fixed" encode_threads -DTHREADS=1 -DBLOCKS=2
harness two-threads "$fixed" encode_threads -DTHREADS=2 -DBLOCKS=2
harness damaged "$fixed" decode_damaged
check 0 "$WORK/xz-utils/one-thread"
check 0 "$WORK/xz-utils/damaged"

# As it was released, without the corrections that Debian has added since.
released=$WORK/xz-utils/source-as-released
extract "$released" --skip-patches
build "$released"
harness damaged-as-released "$released" decode_damaged
check 1 "$WORK/xz-utils/damaged-as-released"

check 0 "$WORK/xz-utils/two-threads" -e reads-from
finish
