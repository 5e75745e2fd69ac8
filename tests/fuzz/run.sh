#!/bin/sh
# Builds every fuzz target into $1 and runs each for $2 seconds from its corpus. New inputs go to $1, crashes too.
set -eu
cd "$(dirname "$0")/../.."
build=$1
seconds=$2
mkdir -p "$build"
for target in tests/fuzz/fuzz_*.c; do
    name=$(basename "$target" .c)
    mkdir -p "$build/$name.corpus"
    clang -g -O1 -std=gnu17 -D_GNU_SOURCE -ffp-contract=off -DTHRONG_LANES=1 -fsanitize=fuzzer,address,undefined \
        -I/usr/include/lua5.4 -o "$build/$name" "$target" runtime/map*.c runtime/navmesh*.c runtime/way*.c runtime/path.c \
        runtime/face_grid.c runtime/wall_index.c runtime/ring_list.c runtime/error.c -lstb -lgeos_c -lexpat -lm
    "$build/$name" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 \
        -artifact_prefix="$build/" "$build/$name.corpus" "tests/fuzz/${name#fuzz_}"
done
