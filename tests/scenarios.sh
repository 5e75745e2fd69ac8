#!/bin/sh
# Runs scenarios under a checker: $1 is the program with what runs it, $2 its options, the rest are scenarios. Closes
# with "N passed, N failed"; fails when one ended with another code than 0, as checkers make of a finding.
set -u
cd "$(dirname "$0")/.." || exit 1
program=$1
options=$2
shift 2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0
failed=0
for scenario in "$@"; do
    if $program run $options --out "$out" "$scenario" >"$out/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $program run $options $scenario"
        sed 's/^/  /' "$out/log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
