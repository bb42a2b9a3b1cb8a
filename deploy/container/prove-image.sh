#!/bin/bash
# Proves the image where none can be pulled: builds the Containerfile with buildah on an empty Debian with this machine's Node and npm, in place
# of the image that it begins with, and runs what it made as a container would: as its user, on a root that cannot be written to, with
# tini as process 1. As root. The registry and certificates of this machine are mounted for the build, and are not part of the image.
# usage: debootstrap --variant=minbase bookworm DIR && prove-image.sh DIR
set -euo pipefail
[ $# = 1 ] || { sed -n 's/^# usage/usage/p' "$0"; exit 2; }
# What is mounted is seen by nothing else, and goes with this process.
[ -n "${OWN_MOUNTS:-}" ] || exec env OWN_MOUNTS=1 unshare --mount "$0" "$1"
here=$(cd "$(dirname "$0")" && pwd)
debian=$1
work=$(mktemp -d)
of() { buildah --root "$work/images" --runroot "$work/running" --storage-driver vfs "$@"; }
leave() {
  [ -z "${running:-}" ] || kill -KILL "$running" 2>/dev/null || true
  awk -v below="$work/" 'index($2, below) == 1 { print $2 }' /proc/mounts | tac | xargs -r umount --lazy
  rm -rf --one-file-system "$work"
}
trap leave EXIT
fails() { echo "$*"; exit 1; }

# What the image begins with: as that of Node, a Debian with Node and npm in /usr/local.
begun=$(of from scratch)
base=$(of mount "$begun")
cp -a "$debian/." "$base/"
install -D "$("$here/../../bin/node" -p process.execPath)" "$base/usr/local/bin/node"
mkdir -p "$base/usr/local/lib/node_modules"
cp -a "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$base/usr/local/lib/node_modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
of config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$begun"
of commit --quiet --rm "$begun" base

echo "registry=$(npm config get registry)" > "$work/npmrc"
certificates=()
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  echo cafile=/run/certificates.pem >> "$work/npmrc"
  certificates=(--volume "$NODE_EXTRA_CA_CERTS:/run/certificates.pem:ro")
fi
# The health check is of Docker's form of images alone.
of build --build-arg BASE=localhost/base --format docker --isolation chroot --pull-never --volume "$work/npmrc:/usr/local/etc/npmrc:ro" "${certificates[@]}" \
  --file "$here/Containerfile" --tag rivalscope "$here/../.."

container=$(of from --pull-never rivalscope)
image=$(of mount "$container")
said() { of inspect --type image --format "$1" rivalscope; }
mapfile -t environment < <(said '{{range .Docker.Config.Env}}{{println .}}{{end}}' | sed '/^$/d')
mapfile -t entrypoint < <(said '{{range .Docker.Config.Entrypoint}}{{println .}}{{end}}' | sed '/^$/d')
mapfile -t healthcheck < <(said '{{range .Docker.Config.Healthcheck.Test}}{{println .}}{{end}}' | sed '/^$/d')
user=$(said '{{.Docker.Config.User}}') command=$(said '{{index .Docker.Config.Cmd 0}}')
[ "$user" = rivalscope ] || fails "it runs as $user"
[ "${healthcheck[0]}" = CMD ] || fails 'it has no health check'

mount --bind "$image" "$image"
mount -o remount,bind,ro "$image"
mkdir -p "$work/data"
chroot "$image" stat -c '%u:%g' /var/lib/rivalscope | xargs -I{} chown {} "$work/data"
mount --bind "$work/data" "$image/var/lib/rivalscope"
mount -t tmpfs tmpfs "$image/tmp"
mount --bind /dev "$image/dev"
mount -t tmpfs -o size=256m tmpfs "$image/dev/shm"
mount -t proc proc "$image/proc"
if touch "$image/proof" 2>/dev/null; then fails 'its root can be written to'; fi
inside() { chroot --userspec="$user:$user" "$image" env -i "${environment[@]}" HOME=/var/lib/rivalscope "$@"; }

# Starts the image with a command; `running` is its process 1, seen from outside.
start() {
  unshare --pid --fork --kill-child chroot --userspec="$user:$user" "$image" \
    env -i "${environment[@]}" HOME=/var/lib/rivalscope "${entrypoint[@]}" "$@" > "$work/log" 2>&1 &
  outer=$!
  until running=$(pgrep -P "$outer"); do sleep 0.1; done
}
says() { # says PATTERN
  for _ in $(seq 600); do
    ! grep -q "$1" "$work/log" || return 0
    kill -0 "$outer" 2>/dev/null || break
    sleep 0.2
  done
  fails "it did not say $1: $(cat "$work/log")"
}
stops() {
  kill -TERM "$running"
  wait "$outer" || fails "SIGTERM ended it with $?: $(cat "$work/log")"
  running=
}

start "$command"
says '^ready '
inside "${healthcheck[@]:1}"
[ "$(ps -o comm= -p "$running")" = tini ] || fails 'its process 1 is not tini'
stops
if inside "${healthcheck[@]:1}"; then fails 'its health check passes while nothing runs'; fi
start work
says working
stops
echo "proven: $("$here/../../bin/node" -p 'process.version'), $(of images --format '{{.Name}} {{.Size}}' --filter reference=rivalscope)"
