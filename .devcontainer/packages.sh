#!/bin/sh
# Installs git, certificates, and all that ./ladder test would install, in an image that is being
# built. Needs root.
set -eu
root=$(dirname -- "$(readlink -f -- "$0")")/..
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
say() { printf 'packages: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

# shellcheck source=compare/packages.sh
. "$root/compare/packages.sh"
# shellcheck disable=SC2046  # a list of words
install_packages git ca-certificates $(libraries_for all) || fail "$why"
set_up_tools all
