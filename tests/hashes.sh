#!/bin/sh
# The hash of each scenario after 60 steps, a line each; $1: the program. tests/hashes.txt has what they were when
# somebody last said why they changed: `make hashes` writes it, tests/specs/hashes_spec.lua compares.
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/.."
hashes=$(mktemp)
trap 'rm -f "$hashes"' EXIT
hash_of() {
    hash=$("$program" run "$1" --steps 60 --out none --backend cpu --threads 1 --json 2>/dev/null |
        sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p')
    echo "${hash:-none} $1" >>"$hashes"
}
before=
for scenario in scenarios/*.lua scenarios/tutorial/*.lua; do # two at a time
    hash_of "$scenario" &
    [ -z "$before" ] || wait "$before"
    before=$!
done
wait
LC_ALL=C sort -k 2 "$hashes"
