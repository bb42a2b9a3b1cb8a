#!/bin/bash
# Proves the steps of the image where no image can be pulled: an empty Debian, this machine's Node and npm, and the package. Installs with
# install.sh, as the image does, and goes through "From nothing to restored" of docs/operations.md as a user without rights. As root, since
# only root changes root. What the walk is about is in the environment: MONDAY, TUESDAY, APP, RECEIVER, RIVALSCOPE_SMTP_URL.
# usage: debootstrap --variant=minbase bookworm DIR && prove-in-chroot.sh DIR PACKAGE.tgz
set -euo pipefail
[ $# = 2 ] || { sed -n 's/^# usage/usage/p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$1 package=$2
leave() { for place in dev/shm dev proc; do ! mountpoint -q "$root/$place" || umount -l "$root/$place"; done; }
trap leave EXIT
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs -o size=256m tmpfs "$root/dev/shm"
cp /etc/resolv.conf "$root/etc/resolv.conf"
install -D "$(readlink -f "$(command -v node)")" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -a "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$root/usr/local/lib/node_modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp "$package" "$root/tmp/package.tgz"
cp "$here/install.sh" "$root/tmp/"
[ -z "${NODE_EXTRA_CA_CERTS:-}" ] || cp "$NODE_EXTRA_CA_CERTS" "$root/tmp/certificates.crt"
chroot "$root" env npm_config_registry="$(npm config get registry)" \
  ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS=/tmp/certificates.crt} sh /tmp/install.sh /tmp/package.tgz

# From here on as the user of the service, who has two directories and nothing else.
walk=$root/var/lib/rivalscope/walk
mkdir "$walk"
cp "$MONDAY" "$walk/monday.json"
cp "$TUESDAY" "$walk/tuesday.json"
echo 'watches: { allowPrivateAddresses: true }' > "$walk/config.yaml"
{ echo 'set -euxmo pipefail'; sed -n '/^## From nothing/,/^## Retention/s/^\$ //p' "$here/../../docs/operations.md"; } > "$walk/walk.sh"
chroot "$root" chown -R rivalscope:rivalscope /var/lib/rivalscope/walk
chroot --userspec=rivalscope:rivalscope "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/var/lib/rivalscope \
  RIVALSCOPE_DATA_DIR=/var/lib/rivalscope/walk/store RIVALSCOPE_CONFIG=/var/lib/rivalscope/walk/config.yaml RIVALSCOPE_PORT=0 \
  RIVALSCOPE_SMTP_URL="$RIVALSCOPE_SMTP_URL" RIVALSCOPE_MAIL_FROM=rivals@example.com \
  BACKUPS=/var/backups/rivalscope MONDAY=monday.json TUESDAY=tuesday.json APP="$APP" RECEIVER="$RECEIVER" \
  sh -c 'cd /var/lib/rivalscope/walk && bash walk.sh'
