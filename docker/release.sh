#!/bin/sh
# release.sh TAG IMAGE: builds the image of a release, tries it, pushes it as IMAGE:VERSION and says by which digest it is
# found from then on. TAG is `v` and the version that Cargo.toml has. What was released once is never replaced, and no name
# is pushed that moves. Needs docker with buildx, signed in to where IMAGE is kept, and a Dockerfile that may be written to.
set -eu
tag=$1 image=$2
cd "$(dirname "$0")/.."
version=$(sed -n '/^\[workspace\.package\]$/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
if [ -z "$version" ] || [ "$tag" != "v$version" ]; then
    echo "The tag is $tag, and the program's version is $version: nothing is built." >&2
    exit 1
fi
if docker buildx imagetools inspect "$image:$version" >/dev/null 2>&1; then
    echo "$image:$version is there already: it stays as it is. Raise the version in Cargo.toml." >&2
    exit 1
fi
# Which base images it is built on stands in what this prints.
docker/pin.sh
docker build --platform linux/amd64 --tag "$image:$version" \
    --label "org.opencontainers.image.version=$version" \
    --label "org.opencontainers.image.revision=$(git rev-parse HEAD)" .
said=$(docker run --rm "$image:$version" --version)
if [ "$said" != "quorum $version" ]; then
    echo "The image says it is \"$said\", not quorum $version: nothing is pushed." >&2
    exit 1
fi
docker push "$image:$version"
docker image inspect --format '{{index .RepoDigests 0}}' "$image:$version"
