#!/bin/sh
# split-debug.sh PROGRAM: moves the lines for backtraces out of a program, into PROGRAM.debug beside it. Names of
# functions stay, and where the file lies beside the program, a backtrace has lines too.
set -eu
# What the program says of its file is a name alone, so this happens where both are.
cd "$(dirname "$1")"
program=$(basename "$1")
objcopy --only-keep-debug "$program" "$program.debug"
strip --strip-debug "$program"
objcopy --add-gnu-debuglink="$program.debug" "$program"
