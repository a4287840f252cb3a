#!/bin/sh
# Runs each fuzz target of a build on its corpus, and on what it makes of that. fuzz.sh <build>
# <inputs for each> [seconds for each] Without seconds it is the same inputs every time, and only a
# failure says something. With them, inputs that reach something new are added to the corpus.
set -eu

build=$1
runs=$2
seconds=${3:-}
here=$(dirname -- "$(readlink -f -- "$0")")
export ASAN_OPTIONS=allocator_may_return_null=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for reader in results samples journal; do
  corpus=$here/corpus/$reader
  found=$(mktemp -d) # new inputs go to the first folder
  if [ -n "$seconds" ]; then
    "$build/bin/fuzz_$reader" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 \
      -dict="$here/fields.dict" "$found" "$corpus"
    "$build/bin/fuzz_$reader" -merge=1 "$corpus" "$found"
  elif ! "$build/bin/fuzz_$reader" -seed=1 -runs="$runs" -rss_limit_mb=2048 \
    -dict="$here/fields.dict" -print_funcs=0 \
    "$found" "$corpus" >"$log" 2>&1; then
    cat "$log"
    exit 1
  fi
  rm -r "$found"
done
