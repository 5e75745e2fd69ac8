#!/bin/sh
# Runs every test of the build in $1 (default build): the Lua scenario tests, those named after $1 or all, and beside them
# the C tests. Closes with the reasons for which tests were skipped, each with their number, and one line "N passed, N
# failed". Fails when a test failed, or when nothing was tested.
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

if [ $# -eq 0 ]; then # the longest first: a core would wait for them at the end
    set -- $({
        printf 'tests/specs/%s_spec.lua\n' standards embed report same_bits cli reproductions
        ls tests/specs/*_spec.lua
    } | awk '!seen[$0]++')
fi
echo "== scenario tests"
# With C tests there are half as many again side by side as cores, since some wait for a window or a file.
{
    echo "$build/throng"
    for test in "$build"/unit/test_display "$build"/unit/test_view "$build"/unit/test_*; do
        case $test in *.d | *.o) continue ;; esac
        [ -x "$test" ] && echo "$test"
    done
} | awk '!seen[$0]++' | LOG=$log LOGS=$logs xargs -P $((1 + ($(nproc) + 1) / 2)) -I{} sh -c '
    program=$1
    shift
    case $program in
    */throng) "$program" test --jobs "$(nproc)" "$@" 2>&1 | tee "$LOG" ;;
    *)
        name=$(basename "$program")
        "$program" >"$LOGS/$name" 2>&1
        echo $? >"$LOGS/$name.status"
        ;;
    esac' - {} "$@" || failed=1 # it was ended before the last of them
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

echo "== C tests"
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

skipped=$(wc -l <"$reasons")
echo "== all tests"
sort "$reasons" | uniq -c | sort -k1,1nr | sed 's/^ *\([0-9]*\) /\1 skipped: /'
if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
