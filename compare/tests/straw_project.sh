# shellcheck shell=sh
# A project of straw that asks a part of the set-up. Sourced by scripts that are called with
#
#   <source folder>
set -eu

# shellcheck disable=SC2034  # the scripts use it
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
said=
unset CMAKE_PREFIX_PATH # its tools would go before those of straw

fail() {
  printf '%s: %s\n%s\n' "$(basename "$0" .sh)" "$*" "$said" >&2
  exit 1
}

# project: what it asks is read from standard input
project() {
  mkdir -p "$scratch/project"
  { printf 'cmake_minimum_required(VERSION 3.22)\nproject(straw LANGUAGES NONE)\n' &&
    cat; } >"$scratch/project/CMakeLists.txt"
}

# configured <variable=value>...: what is said goes into $said
configured() {
  rm -rf "$scratch/build"
  said=$(env "$@" cmake -G Ninja -S "$scratch/project" -B "$scratch/build" 2>&1)
}

says() {
  case "$said" in
    *"$1"*) ;;
    *) fail "it does not say \"$1\", but:" ;;
  esac
}
