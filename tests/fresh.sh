#!/bin/sh
# Proves the README's start on a fresh machine: makes a bare Debian 12 (git and make, nothing else) in a folder, clones
# HEAD into it, and runs `make run` and `make test` there as root, without pseudo-terminals, then the REPL's specs with
# them. Fails when one of them fails. Packages come from where this machine's apt has them from. FRESH_AT: where the
# folder is made (3 GB), by default /var/tmp.
set -eu
cd "$(dirname "$0")/.."
fail()
{
    echo "make fresh: $*" >&2
    exit 1
}

# The mounts and processes inside belong to a namespace of their own, and end with it.
if [ "${FRESH_INSIDE:-}" = "" ]; then
    [ "$(id -u)" = 0 ] || fail "chroot needs root: sudo make fresh"
    [ -z "$(git status --porcelain)" ] || echo "make fresh: what is not committed is left out" >&2
    root=$(mktemp -d "${FRESH_AT:-/var/tmp}/throng-fresh.XXXXXX")
    trap 'rm -rf --one-file-system "$root"' EXIT
    FRESH_INSIDE=$root unshare --mount --pid --fork --kill-child "$0"
    exit
fi
root=$FRESH_INSIDE

tests/bare_debian.sh "$root" git,make
git clone --quiet --no-hardlinks . "$root/throng"
mount -t proc proc "$root/proc"

inside()
{
    echo "== $*"
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root http_proxy="${http_proxy:-}" \
        https_proxy="${https_proxy:-}" sh -c 'cd /throng && exec "$@"' sh "$@"
}

inside make run
inside make test
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount --bind "$root/dev/pts/ptmx" "$root/dev/ptmx"
inside build/throng test tests/specs/repl_spec.lua | tee "$root/repl.log"
grep -qE '^[1-9][0-9]* passed, 0 failed$' "$root/repl.log" || fail "the REPL's specs did not all pass with pseudo-terminals"
echo "a fresh Debian 12: make run and make test pass"
