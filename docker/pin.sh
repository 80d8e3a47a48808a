#!/bin/sh
# pin.sh [DOCKERFILE]: writes behind each base image which one its name means today, by its digest, so that every later
# build begins with the same. Needs docker with buildx, and the network; run it again for newer ones.
set -eu
file=${1:-"$(dirname "$0")/../Dockerfile"}
sed -n 's/^FROM \([^ @]*:[^ @]*\).*/\1/p' "$file" | sort -u | while read -r image; do
    digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image" </dev/null)
    case $digest in
        sha256:????????????????????????????????????????????????????????????????) ;;
        *) echo "$image has no digest: $digest" >&2; exit 1 ;;
    esac
    sed -i "s|^FROM $image\(@sha256:[0-9a-f]*\)\{0,1\}|FROM $image@$digest|" "$file"
    echo "$image@$digest"
done
