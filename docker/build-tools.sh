#!/bin/sh
# What Rust needs beside itself to build the program: a C compiler, and binutils for split-debug.sh.
set -eu
apt-get update
apt-get install --yes --no-install-recommends build-essential pkg-config
rm -rf /var/lib/apt/lists/*
