#!/bin/sh
# Builds every fuzz target into $1, which lies beside libthrong.a, and runs each for $2 seconds from its corpus, or
# only the targets named after that (tmx, wkt, ...). New inputs go to $1, crashes too. LIBS: the Makefile's.
set -eu
cd "$(dirname "$0")/../.."
build=$1
seconds=$2
shift 2
[ $# -gt 0 ] || set -- $(ls tests/fuzz/fuzz_*.c | sed 's|.*/fuzz_||; s|\.c$||')
mkdir -p "$build/objects"
flags="-g -O1 -std=gnu17 -D_GNU_SOURCE -ffp-contract=off -DTHRONG_LANES=1 -fsanitize=address,undefined -I. -Iruntime -I/usr/include/lua5.4"
for source in runtime/base/*.c runtime/map/*.c runtime/navigation/*.c runtime/record/*.c; do
    object=$build/objects/$(basename "$source" .c).o
    clang $flags -fsanitize=fuzzer-no-link -c -o "$object" "$source"
done
rm -f "$build/objects.a"
ar rcs "$build/objects.a" "$build"/objects/*.o
for name in "$@"; do
    mkdir -p "$build/fuzz_$name.corpus"
    clang $flags -fsanitize=fuzzer -o "$build/fuzz_$name" "tests/fuzz/fuzz_$name.c" -Wl,--start-group "$build/objects.a" \
        "$build/../libthrong.a" -Wl,--end-group $LIBS
    "$build/fuzz_$name" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 \
        -artifact_prefix="$build/fuzz_$name-" "$build/fuzz_$name.corpus" "tests/fuzz/$name"
done
