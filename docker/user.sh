#!/bin/sh
# user.sh [ROOT]: makes the user that the program runs as, and the folder that is its home and its volume. ROOT is another
# root folder than /, for trying it.
set -eu
root=${1:-}
id=10001
groupadd ${root:+--prefix "$root"} --system --gid "$id" quorum
useradd ${root:+--prefix "$root"} --system --uid "$id" --gid "$id" --home-dir /data quorum
install --directory --owner="$id" --group="$id" "$root/data"
