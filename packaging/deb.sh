#!/usr/bin/env bash
# Builds the Debian package: packaging/deb.sh [BINARY [FOLDER]]. Without a binary it makes a release build first; the
# package knightmail_VERSION_ARCH.deb comes to lie in FOLDER (target/). Prints its path.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
binary=${1:-}
out=${2:-$top/target}
if [ -z "$binary" ]; then
    (cd "$top" && cargo build --release --locked >&2)
    binary=$top/target/release/knightmail
fi
mkdir -p "$out"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$top/Cargo.toml" | head -1)
arch=$(dpkg --print-architecture)
# Without it the dates of the files are those of the last commit, so that the same source makes the same package.
: "${SOURCE_DATE_EPOCH:=$(git -C "$top" log -1 --format=%ct 2>/dev/null || echo 1546300800)}"
export SOURCE_DATE_EPOCH

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"
umask 022
put() { install -D -m "$1" "$2" "$tree/$3"; }
zip_into() { mkdir -p "$(dirname "$tree/$1")"; gzip -9n >"$tree/$1"; chmod 644 "$tree/$1"; }

put 755 "$binary" usr/bin/knightmail
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$tree/usr/bin/knightmail" 2>/dev/null || true
for unit in knightmail.service knightmail-once.service knightmail.timer; do
    put 644 "$top/config/systemd/$unit" usr/lib/systemd/system/$unit
done
put 644 "$top/config/systemd/knightmail.sysusers.conf" usr/lib/sysusers.d/knightmail.conf
put 644 "$top/config/systemd/knightmail.tmpfiles.conf" usr/lib/tmpfiles.d/knightmail.conf

"$binary" man "$tree/man" >&2
for page in "$tree"/man/*.1; do
    zip_into "usr/share/man/man1/$(basename "$page").gz" <"$page"
done
rm -r "$tree/man"
mkdir -p "$tree"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
"$binary" completions bash >"$tree/usr/share/bash-completion/completions/knightmail"
"$binary" completions zsh >"$tree/usr/share/zsh/vendor-completions/_knightmail"
"$binary" completions fish >"$tree/usr/share/fish/vendor_completions.d/knightmail.fish"

doc=usr/share/doc/knightmail
put 644 "$top/packaging/debian/copyright" $doc/copyright
put 644 "$top/packaging/debian/README.Debian" $doc/README.Debian
put 644 "$top/README.md" $doc/README.md
date=$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
sed "s/@VERSION@/$version/; s/@DATE@/$date/" "$top/packaging/debian/changelog" | zip_into $doc/changelog.gz

mkdir "$tree/DEBIAN"
size=$(du -sk --exclude=DEBIAN "$tree" | cut -f1)
sed "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@SIZE@/$size/" "$top/packaging/debian/control" >"$tree/DEBIAN/control"
for script in postinst prerm postrm; do
    install -m 755 "$top/packaging/debian/$script" "$tree/DEBIAN/$script"
done
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
find "$tree" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
package=$out/knightmail_${version}_$arch.deb
dpkg-deb --root-owner-group -Z"${DEB_COMPRESSION:-xz}" --build "$tree" "$package" >&2
echo "$package"
