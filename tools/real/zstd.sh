#!/bin/sh
# zstd's thread pool, built by zstd's own CMake files. See docs/real-programs.md.
#   tools/real/zstd.sh [DIRECTORY]
. "$(dirname "$0")/common.sh"
command -v cmake > /dev/null || { echo "cmake is not on the PATH" >&2; exit 2; }

fetch libzstd
source=$WORK/libzstd/source
extract "$source"
if [ ! -f "$source/built" ]; then
    # DEBUGLEVEL=1 turns zstd's assertions on.
    quietly cmake -S "$source/build/cmake" -B "$source/out" -DCMAKE_C_COMPILER=norn-cc \
        -DCMAKE_CXX_COMPILER=norn-c++ -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O2 -DDEBUGLEVEL=1" \
        -DCMAKE_POLICY_VERSION_MINIMUM=3.5 -DZSTD_BUILD_SHARED=OFF -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_LEGACY_SUPPORT=OFF
    quietly cmake --build "$source/out" -j 2
    touch "$source/built"
fi

# harness NAME SOURCE OPTION...
harness() {
    name=$1
    code=$2
    shift 2
    norn-cc "$@" -I"$source/lib" -I"$source/lib/common" "$harnesses/zstd/$code.c" "$source/out/lib/libzstd.a" \
        -o "$WORK/libzstd/$name"
}

harness two-jobs pool_jobs -DTHREADS=2 -DQUEUE=1 -DJOBS=2
harness two-jobs-joined pool_jobs -DTHREADS=2 -DQUEUE=1 -DJOBS=2 -DJOIN
harness no-queue pool_jobs -DTHREADS=1 -DQUEUE=0 -DJOBS=3
harness two-users pool_two_users
check 0 "$WORK/libzstd/two-jobs"
check 0 "$WORK/libzstd/no-queue"
check 0 "$WORK/libzstd/two-jobs-joined"
check 1 "$WORK/libzstd/two-users"
finish
