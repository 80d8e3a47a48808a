#!/bin/sh
# build.sh PROGRAM: builds the program in this folder and puts it there. The folder with what was built is kept for the
# next time, and is not in the image; so the program is copied out of it.
set -eu
cargo build --release --locked --bin quorum
cp target/release/quorum "$1"
