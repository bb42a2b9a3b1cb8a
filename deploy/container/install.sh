#!/bin/sh
# Installs Rivalscope from its package into a Debian with Node 24: what the image does, and what can be done in any other place.
# usage: install.sh PACKAGE.tgz
set -eu
package=$1
apt-get update -qq
# ffmpeg and espeak-ng are not needed: without them media are kept as they are. tini is for containers.
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ca-certificates tini >/dev/null
rm -rf /var/lib/apt/lists/*
getent passwd rivalscope >/dev/null || useradd --system --user-group --home-dir /var/lib/rivalscope --shell /usr/sbin/nologin rivalscope
install -d -o rivalscope -g rivalscope -m 0700 /var/lib/rivalscope /var/backups/rivalscope
npm install --global --ignore-scripts --no-audit --no-fund "$package"
npm cache clean --force >/dev/null 2>&1
rivalscope --version
