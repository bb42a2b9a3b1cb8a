#!/bin/bash
# Proves the steps of the image where no image can be pulled: an empty Debian (debootstrap --variant=minbase bookworm DIR), Node, and the
# package. Installs with install.sh, as the image does, and goes through "From nothing to restored" of docs/operations.md as a user
# without rights. As root, since only root changes root.
# usage: prove-in-chroot.sh DIR PACKAGE.tgz NODE-DIRECTORY MONDAY.json TUESDAY.json APP
set -euo pipefail
[ $# = 6 ] || { sed -n 's/^# usage/usage/p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$1 package=$2 node=$3 monday=$4 tuesday=$5 app=$6
cleanup() {
  kill "${receiver:-0}" 2>/dev/null || true
  for place in dev/shm dev proc; do umount -l "$root/$place" 2>/dev/null || true; done
}
trap cleanup EXIT
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs -o size=256m tmpfs "$root/dev/shm"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -a "$node/." "$root/usr/local/"
cp "$package" "$root/tmp/package.tgz"
cp "$here/install.sh" "$root/tmp/"
chroot "$root" env npm_config_registry="$(npm config get registry)" sh /tmp/install.sh /tmp/package.tgz

# From here on as the user of the service, who has a directory and nothing else.
walk=$root/var/lib/rivalscope/walk
rm -rf "$walk" && mkdir "$walk"
cp "$monday" "$walk/monday.json"
cp "$tuesday" "$walk/tuesday.json"
echo 'watches: { allowPrivateAddresses: true }' > "$walk/config.yaml"
{ echo 'set -euxmo pipefail'; sed -n '/^## From nothing/,/^## Retention/s/^\$ //p' "$here/../../docs/operations.md"; } > "$walk/walk.sh"
chroot "$root" chown -R rivalscope:rivalscope /var/lib/rivalscope/walk
"$node/bin/node" -e "
  require('node:http').createServer((asked, reply) => {
    asked.on('data', (bytes) => process.stdout.write(bytes)).on('end', () => reply.writeHead(204).end(process.stdout.write('\n') && undefined))
  }).listen(18080, '127.0.0.1')" > "$walk/told" &
receiver=$!
chroot --userspec=rivalscope:rivalscope "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/var/lib/rivalscope \
  RIVALSCOPE_DATA_DIR=/var/lib/rivalscope/walk/store RIVALSCOPE_CONFIG=/var/lib/rivalscope/walk/config.yaml RIVALSCOPE_PORT=0 \
  BACKUPS=/var/backups/rivalscope MONDAY=monday.json TUESDAY=tuesday.json APP="$app" RECEIVER=http://127.0.0.1:18080/told \
  sh -c 'cd /var/lib/rivalscope/walk && bash walk.sh'
[ "$(wc -l < "$walk/told")" = 1 ] || { echo "told $(wc -l < "$walk/told") times"; exit 1; }
grep -q "$app" "$walk/told"
grep -q '"rank"' "$walk/history.json"
echo "proven: installed, imported, told by webhook, backed up, lost, restored, and asked again"
