#!/bin/sh
# Checks the folder $1 that `make dist` made: the program starts from it alone, and each library and Lua module in it has
# a notice in what `throng info --licences` prints, and its package's licence in licences/.
set -eu
cd "$1"
fail()
{
    echo "make dist: $*" >&2
    exit 1
}

notices=$(env -i ./throng info --licences)
echo "$notices" | grep -q "Copyright (c) .* The throng authors" || fail "throng info --licences lacks throng's own"
env -i ./throng run --out none --steps 2 scenarios/evacuation.lua >/dev/null 2>&1 || fail "throng run fails"
env -i ./throng test --suite imo --list | grep -q "IMO 1," || fail "throng test --suite finds no cases"
for file in lib/*.so* lua/share/* lua/lib/*; do
    name=$(basename "$file" | sed 's/\.lua$//; s/^lib//; s/\.so.*//; s/_c$//; s/[0-9.]*$//')
    echo "$notices" | grep -qiF "$name" ||
        fail "$file has no notice: add its licence to runtime/command/licences.txt"
done
for word in LICENSE CHANGES.md licences/throng.txt licences/GPL-3; do [ -s "$word" ] || fail "$word is missing"; done
files=$(ls lib/*.so* | wc -l)
texts=$(ls licences/lib*.txt | wc -l)
[ "$texts" -ge "$files" ] || fail "$files libraries, but licences of $texts packages"
