#!/usr/bin/env bash
# Tests the playground's page in headless Chromium: tests/page/run.sh SCRIPT [URL]
# SCRIPT is page.py or another of this folder that ends in `begin(…)`; needs a running playground with its bot. Installs Debian's Chromium if there is none.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v chromedriver >/dev/null; then
  install="apt-get install -y --no-install-recommends chromium chromium-driver fonts-dejavu-core fonts-noto-color-emoji"
  if [ "$(id -u)" -eq 0 ]; then
    apt-get update -qq && $install
  else
    sudo apt-get update -qq && sudo $install
  fi >/dev/null
fi

PYTHONDONTWRITEBYTECODE=1 exec python3 "$@"
