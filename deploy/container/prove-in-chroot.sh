#!/bin/bash
# Proves the steps of the image where no image can be pulled: an empty Debian, this machine's Node and npm, and the package. Installs with
# install.sh, as the image does, and goes through "From nothing to restored" of docs/operations.md as a user without rights. As root, since
# only root changes root. What the walk is about is in the environment: MONDAY, TUESDAY, APP, RECEIVER, RIVALSCOPE_SMTP_URL.
# Each step has its time: ends with 75 and the step where it was not enough, or where Debian's packages could not be had, since that tells
# of the place and not of the package. Leaves nothing mounted or running.
# usage: prove-in-chroot.sh NEW-DIR PACKAGE.tgz
set -euo pipefail
[ $# = 2 ] || { sed -n 's/^# usage/usage/p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$1"
root=$(cd "$1" && pwd) package=$2
leave() {
  for process in /proc/[0-9]*; do [ "$(readlink "$process/root")" != "$root" ] || kill -KILL "${process#/proc/}" || true; done
  # The newest first: debootstrap mounts there, too, and leaves it so when it is ended.
  findmnt --list --noheadings --output TARGET | tac | while read -r place; do [[ $place != "$root"/* ]] || umount --lazy "$place"; done
}
trap leave EXIT
unproven() { echo "not proven here: $*" >&2; exit 75; }
step() { # step SECONDS COMMAND...
  local code=0
  timeout --kill-after=5 "$@" || code=$?
  [ "$code" != 124 ] && [ "$code" != 137 ] || unproven "${*:2:3} had not ended after $1 s"
  return "$code"
}

step 240 debootstrap --variant=minbase --include=ca-certificates,tini bookworm "$root" || unproven 'no packages of Debian'
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs -o size=256m tmpfs "$root/dev/shm"
cp /etc/resolv.conf "$root/etc/resolv.conf"
install -D "$("$here/../../bin/node" -p process.execPath)" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -a "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$root/usr/local/lib/node_modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp "$package" "$root/tmp/package.tgz"
cp "$here/install.sh" "$root/tmp/"
# Of this machine's settings npm gets where packages are, and the certificates of whoever serves them; all others name files that are not there.
certificates=${NODE_EXTRA_CA_CERTS:-$(npm config get cafile)}
[ ! -f "$certificates" ] || cp "$certificates" "$root/tmp/certificates.crt"
step 180 chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  npm_config_registry="$(npm config get registry)" NODE_EXTRA_CA_CERTS=/tmp/certificates.crt sh /tmp/install.sh /tmp/package.tgz

# From here on as the user of the service, who has two directories and nothing else.
walk=$root/var/lib/rivalscope/walk
mkdir "$walk"
cp "$MONDAY" "$walk/monday.json"
cp "$TUESDAY" "$walk/tuesday.json"
echo 'watches: { allowPrivateAddresses: true }' > "$walk/config.yaml"
{ echo 'set -euxo pipefail'; sed -n '/^## From nothing/,/^## Retention/s/^\$ //p' "$here/../../docs/operations.md"; } > "$walk/walk.sh"
chroot "$root" chown -R rivalscope:rivalscope /var/lib/rivalscope/walk
step 120 chroot --userspec=rivalscope:rivalscope "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/var/lib/rivalscope \
  RIVALSCOPE_DATA_DIR=/var/lib/rivalscope/walk/store RIVALSCOPE_CONFIG=/var/lib/rivalscope/walk/config.yaml RIVALSCOPE_PORT=0 \
  RIVALSCOPE_SMTP_URL="$RIVALSCOPE_SMTP_URL" RIVALSCOPE_MAIL_FROM=rivals@example.com \
  BACKUPS=/var/backups/rivalscope MONDAY=monday.json TUESDAY=tuesday.json APP="$APP" RECEIVER="$RECEIVER" \
  sh -c 'cd /var/lib/rivalscope/walk && bash walk.sh'
