#!/bin/sh
# Runs every test of the build in $1 (default build): the C tests, then the Lua scenario tests, those named after $1 or
# all. Closes with the reasons for which tests were skipped, each with their number, and one line "N passed, N failed".
# Fails when a test failed, or when nothing was tested.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
[ $# -gt 0 ] && shift
log=$(mktemp)
reasons=$(mktemp)
logs=$(mktemp -d)
trap 'rm -rf "$log" "$reasons" "$logs"' EXIT
passed=0
failed=0

# Side by side, the two longest first: a core would wait for them at the end.
for test in "$build"/unit/test_display "$build"/unit/test_view "$build"/unit/test_*; do
    case $test in *.d | *.o) continue ;; esac
    [ -x "$test" ] && echo "$test"
done | awk '!seen[$0]++' | LOGS=$logs xargs -P "$(nproc)" -I{} sh -c '
    name=$(basename "$1")
    "$1" >"$LOGS/$name" 2>&1
    echo $? >"$LOGS/$name.status"
    echo "== $name"' - {} || failed=1 # it was ended before the last of them

for status in "$logs"/*.status; do
    said=${status%.status}
    [ -e "$said" ] || continue
    ok=$(grep -c '^\[       OK \]' "$said")
    bad=$(grep '^\[  FAILED  \] [a-z]' "$said" | sort -u | wc -l) # each is listed once more at the end
    passed=$((passed + ok))
    awk '/^skipped: / { reason = substr($0, 10) }
         /^\[  SKIPPED \] [a-z]/ && !seen[$4]++ { print reason ? reason : "no reason given"; reason = "" }' "$said" >>"$reasons"
    if [ "$(cat "$status")" -ne 0 ]; then # a crash counts, too
        echo "== $(basename "$said") failed"
        grep -v -e '^\[ RUN' -e '^\[       OK' "$said"
        [ "$bad" -gt 0 ] || bad=1
        failed=$((failed + bad))
    fi
done

if [ $# -eq 0 ]; then # here, too, the longest first
    set -- $({
        printf 'tests/specs/%s_spec.lua\n' standards embed report same_bits cli reproductions
        ls tests/specs/*_spec.lua
    } | awk '!seen[$0]++')
fi
echo "== scenario tests"
"$build"/throng test --jobs "$(nproc)" "$@" 2>&1 | tee "$log"
awk 'skipped { sub(/^ *[^ ]*:[0-9]+: /, ""); print; skipped = 0 } /^SKIPPED / { skipped = 1 }' "$log" >>"$reasons"
line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
if [ -n "$line" ]; then
    passed=$((passed + ${line%% passed*}))
    rest=${line#*passed, }
    failed=$((failed + ${rest%% failed*}))
else
    echo "the scenario tests did not finish"
    failed=$((failed + 1))
fi

skipped=$(wc -l <"$reasons")
echo "== all tests"
sort "$reasons" | uniq -c | sort -k1,1nr | sed 's/^ *\([0-9]*\) /\1 skipped: /'
if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
