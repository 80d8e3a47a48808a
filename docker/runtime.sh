#!/bin/sh
# What the program needs beside itself: certificates for the model providers, and fonts for letters that the built-in
# one lacks.
set -eu
apt-get update
apt-get install --yes --no-install-recommends ca-certificates fonts-dejavu-core fonts-noto-cjk
rm -rf /var/lib/apt/lists/*
