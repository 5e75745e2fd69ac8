#!/bin/sh
# Of `make deb`: cuts what `make install` put under $1/all (PREFIX=/usr) into the packages of control, as $1/*.deb.
# $2: the version, $3: SOVERSION. A package whose files were not built is left out. DEBFULLNAME and DEBEMAIL say whose they
# are, DEB_COMPRESS=-Znone makes them at once.
set -eu
here=$(cd "$(dirname "$0")" && pwd) root=$(pwd)
cd "$1"
out=$(pwd) version=$2-1 soversion=$3
maintainer="${DEBFULLNAME:-The throng authors} <${DEBEMAIL:-throng@packages.debian.org}>"
: "${SOURCE_DATE_EPOCH:=$(stat -c %Y "$root/runtime/base/version.h")}"
export SOURCE_DATE_EPOCH
umask 022

# ---- what Debian wants otherwise

for file in $(find all/usr/bin all/usr/lib -type f); do
    case $(head -c 4 "$file" | tail -c 3) in ELF) strip --strip-unneeded "$file" && chrpath -d "$file" >/dev/null ;; esac
done
rm -rf all/usr/share/doc
mkdir -p all/usr/share/man/man1
{
    printf '.TH THRONG 1\n.SH NAME\nthrong \\- crowds of people, scripted in Lua\n.SH SYNOPSIS\n.B throng\n'
    printf '.I command\n.RI [ arguments ]\n.SH DESCRIPTION\n.nf\n'
    "all/usr/bin/throng" help | sed 's/\\/\\e/g; s/-/\\-/g; s/^\./\\\&./'
    printf '.fi\n.SH SEE ALSO\n.B throng help\n.I command\n'
} | gzip -9n >all/usr/share/man/man1/throng.1.gz

# ---- one package: its name is $1

# The field $2 of package $1.
field()
{
    awk -v package="$1" -v field="$2" '
        /^Package: / { mine = $2 == package }
        /^[A-Z]/ { in_it = mine && index($0, field ": ") == 1; if (in_it) { sub(/^[^:]*: /, ""); print; next } }
        /^ / && mine && in_it { print }
        /^$/ { mine = 0 }' control
}

# What is in the binaries of others. Libraries are packages of their own.
carried()
{
    sed -n '/^In the executable:/,/^Maps:/{/^Maps:/!p}; /^MIT$/,/^Apache License/p' "$root/runtime/command/licences.txt"
    printf '\nIts text is in /usr/share/common-licenses/Apache-2.0.\n'
}

documents()
{
    doc=$1/usr/share/doc/$1
    mkdir -p "$doc"
    { cat "$root/LICENSE" && echo && carried; } >"$doc/copyright"
    printf 'throng (%s) unstable; urgency=medium\n\n  * Of version %s.\n\n -- %s  %s\n' "$version" "${version%-*}" "$maintainer" \
        "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.Debian.gz"
    sed -n '/^## Changes/,$p' "$root/.github/CONTRIBUTING.md" | gzip -9n >"$doc/changelog.gz"
}

# "Depends: ..." and the like: what its field says, and the libraries that its files need.
relations()
{
    needed= wanted=
    for file in $(find "$1/usr" -type f); do
        case $(head -c 4 "$file" | tail -c 3) in ELF) ;; *) continue ;; esac
        list=$(cd shlibdeps && dpkg-shlibdeps -O --ignore-missing-info "../$file" 2>/dev/null | sed 's/^shlibs:Depends=//')
        case $file in *throng-view.so) wanted=$list ;; *) needed=$list ;; esac # windows are loaded when asked for
    done
    for name in Depends Recommends Suggests Enhances; do
        line=$(field "$1" $name)
        [ $name != Depends ] || line=$(printf '%s\n%s\n' "$needed" "$line" | sed '/^$/d' | paste -sd, | sed 's/,\([^ ]\)/, \1/g')
        [ $name != Recommends ] || line=$(printf '%s\n%s\n' "$line" "$wanted" | sed '/^$/d' | paste -sd, | sed 's/,\([^ ]\)/, \1/g')
        [ -z "$line" ] || echo "$name: $line"
    done
}

control_of()
{
    architecture=$(field "$1" Architecture)
    echo "Package: $1"
    echo "Source: throng"
    echo "Version: $version"
    echo "Architecture: ${architecture:-$(dpkg --print-architecture)}"
    echo "Maintainer: $maintainer"
    echo "Installed-Size: $(du -k -s --apparent-size "$1/usr" | cut -f1)"
    relations "$1"
    echo "Section: $(field "$1" Section)"
    echo "Priority: optional"
    echo "Description: $(field "$1" Description)"
}

pack()
{
    for file in $(field "$1" Files | sed 's/[^ ]*/all\/&/g'); do
        for found in $(ls -d $file 2>/dev/null); do
            mkdir -p "$1/$(dirname "${found#all/}")"
            cp -a "$found" "$1/${found#all/}"
        done
    done
    [ -d "$1" ] || return 0
    documents "$1"
    mkdir -p "$1/DEBIAN"
    control_of "$1" >"$1/DEBIAN/control"
    (cd "$1" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$1/DEBIAN/md5sums"
    case $1 in libthrong[0-9]*)
        echo "libthrong $soversion $1 (>= ${version%-*})" >"$1/DEBIAN/shlibs"
        echo "activate-noawait ldconfig" >"$1/DEBIAN/triggers" ;;
    esac
    find "$1" -type d -exec chmod 755 {} + , -type f -exec chmod 644 {} +
    [ ! -d "$1/usr/bin" ] || chmod 755 "$1"/usr/bin/*
    dpkg-deb ${DEB_COMPRESS:--Zxz} --root-owner-group --build "$1" "${1}_${version}_$(sed -n 's/^Architecture: //p' "$1/DEBIAN/control").deb" >/dev/null
    ls "$out/${1}_"*.deb
    rm -rf "$1"
}

sed "s/@VERSION@/$version/; s/@SOVERSION@/$soversion/" "$here/control" >control
mkdir -p shlibdeps/debian
printf 'Source: throng\n\nPackage: throng\nArchitecture: any\n' >shlibdeps/debian/control
for name in $(sed -n 's/^Package: //p' control); do pack "$name"; done
rm -rf all control shlibdeps
