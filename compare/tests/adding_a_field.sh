#!/bin/sh
# A counter stands in one place: does what docs/adding_a_field.md says, in a scratch copy of the
# sources, and compiles what follows from the field. Tests of reports/tests/ hold each field to have
# its columns and its part of the schema.
#
# adding_a_field.sh <source folder> <C++ compiler>
set -eu

compiler=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  printf 'adding_a_field: %s\n' "$*" >&2
  exit 1
}

command -v git >/dev/null || {
  echo 'SKIPPED: there is no git to apply the change of the page'
  exit 0
}
(cd "$1" && cp -R compare docs reports "$scratch")
cd "$scratch"
awk '/^```$/ { inside = 0 } inside { print } /^```diff$/ { inside = 1 }' \
  docs/adding_a_field.md >example.diff
files=$(grep -c '^+++ ' example.diff)
[ "$files" = 2 ] || fail "the page changes $files files by hand, not 2"
git apply example.diff 2>log || fail "the page does not fit the sources: $(cat log)"

cat >threads.cpp <<'CPP'
#include <iostream>

#include "compare/protocol.hpp"

int main() {
  using namespace ladder;
  protocol::MeasuredCell sent;
  sent.counters = reports::Counters{};
  sent.counters->threads = 5;
  const auto text = nlohmann::json(sent).dump();
  const auto received = nlohmann::json::parse(text).get<protocol::MeasuredCell>();
  std::cout << nlohmann::json(received.counters)["threads"] << ' '
            << nlohmann::json(reports::Counters{}).contains("threads") << '\n';
}
CPP
"$compiler" -std=c++20 -I. threads.cpp -o threads 2>log || fail "$(cat log)"
[ "$(./threads)" = '5 0' ] ||
  fail "the field does not reach the driver, or is in a file that does not know it: $(./threads)"
"$compiler" -std=c++20 -I. -DFMT_SHARED -fsyntax-only -DLADDER_EMULATED_COMPILER='""' \
  -DLADDER_EMULATED_FLAGS='""' compare/emulated/worker/probe.cpp 2>log || fail "$(cat log)"
