#!/bin/sh
# Makes a bare Debian 12 in the folder $1, with the packages $2 (a list with commas) and the network of this machine. For
# tests/fresh.sh and tests/deb.sh; needs root and debootstrap. Packages come from where this machine's apt has them from.
set -eu
root=$1 suite=bookworm

fail()
{
    echo "a bare Debian: $*" >&2
    exit 1
}

# Debian's own repositories, as this machine's apt knows them.
apt-get update -q >/dev/null
sources=$(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    grep " $suite") || fail "apt knows no source of Debian $suite: see /etc/apt/sources.list and sources.list.d"
mirror=$(echo "$sources" | awk -v suite=$suite '$3 == suite { print $2; exit }')
more=
case $sources in *https:*) more=,ca-certificates ;; esac

echo "== a bare Debian $suite"
debootstrap --variant=minbase --include="$2$more" $suite "$root" "$mirror" >"$root.log" 2>&1 || {
    tail -n 20 "$root.log"
    fail "debootstrap failed"
}
rm -f "$root.log"
echo "$sources" >"$root/etc/apt/sources.list"
apt-config dump --format '%F "%v";%n' | grep -E '^Acquire::(https?|Check|Retries)' >"$root/etc/apt/apt.conf.d/99machine" || true
cat /etc/resolv.conf >"$root/etc/resolv.conf"
cat /etc/hosts >"$root/etc/hosts"
