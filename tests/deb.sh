#!/bin/sh
# Installs the packages of $1 (build/deb) in a bare Debian 12, where they pull in what they need, and uses each: the command,
# a program in C, a script of plain lua5.4; then removes them. As root, by `make deb-fresh`; takes minutes and 1 GB.
set -eu
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "make deb-fresh: chroot needs root: sudo make deb-fresh" >&2; exit 1; }
root=${DEB_INSIDE:-}
if [ -z "$root" ]; then
    root=$(mktemp -d "${FRESH_AT:-/var/tmp}/throng-deb.XXXXXX")
    trap 'rm -rf --one-file-system "$root"' EXIT
    DEB_INSIDE=$root unshare --mount --pid --fork --kill-child "$0" "$1"
    exit
fi

inside()
{
    echo "== $*"
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive http_proxy="${http_proxy:-}" \
        https_proxy="${https_proxy:-}" sh -c "$*"
}

tests/bare_debian.sh "$root" gcc,libc6-dev,pkg-config
mount -t proc proc "$root/proc"
mkdir "$root/debs" "$root/try"
cp "$1"/*.deb "$root/debs/"
cp scenarios/evacuation.lua tests/embed/crowd.c tests/embed/module.lua "$root/try/"
cp -r maps "$root/"
inside 'apt-get update -q && apt-get install -y -q --no-install-recommends /debs/*.deb lua5.4 lua-busted' >"$root.log" 2>&1 ||
    { tail -n 30 "$root.log"; rm -f "$root.log"; exit 1; }
rm -f "$root.log"
inside 'cd /try && throng run evacuation.lua --out none --json | grep hash' | tee "$root/hash"
hash=$(sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p' "$root/hash")
[ -n "$hash" ] || { echo "make deb-fresh: throng run gave no hash" >&2; exit 1; }
inside 'cd /try && gcc -o crowd crowd.c $(pkg-config --cflags --libs throng) -lm && ./crowd evacuation.lua' | tee "$root/c"
inside 'cd /try && lua5.4 module.lua evacuation.lua' | tee "$root/lua"
grep -q "^$hash" "$root/c" && grep -q "^$hash" "$root/lua" || { echo "make deb-fresh: they have other hashes than $hash" >&2; exit 1; }
inside 'apt-get purge -y -q "*throng*" >/dev/null 2>&1; ls -d /usr/*/*throng* 2>/dev/null' && { echo "make deb-fresh: purging leaves files" >&2; exit 1; }
echo "installed, used and removed in a bare Debian 12"
