#!/bin/bash
# The container, without Docker: does what .devcontainer/Dockerfile of this checkout's commit says,
# in a fresh minimal Debian. Then it runs commands there on a clean clone, as the user whose clone
# it is: none can install anything. Needs root, debootstrap and a network.
#
# dockerfile.sh <folder of the root> [<command>...]
#
# <command>: in place of a look at what is installed, and a configuration of everything.
set -euo pipefail
fail() {
  printf 'dockerfile: %s\n' "$*" >&2
  exit 1
}
# shellcheck source=compare/tests/fresh_root/root.sh
. "$(dirname "$0")/root.sh"
top=$1
shift

(($# > 0)) || set -- \
  'git --version && cmake --version && ninja --version && g++ --version &&
   python3 -m pip --version' \
  "cmake -S . -B \$LADDER_BUILD -G Ninja -DLADDER_TESTS=ON &&
   ! ls \$LADDER_BUILD/*-packages && ! cat \$LADDER_BUILD/left-out"

suite=$(sed -nE 's/^ARG BASE=debian:([a-z]+).*/\1/p' "$source/.devcontainer/Dockerfile")
make_root "$suite" "$top"
clone=$top/kernel-ladder
make_clone "$clone"
mapfile -t lines < <(sed -e '/^ *#/d' -e '/^ *$/d' "$clone/.devcontainer/Dockerfile")
variables=(HOME=/ PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
place=/
inside() { env -i "${variables[@]}" chroot "$@"; }
copied=()
for line in "${lines[@]}"; do
  printf '\n== %s\n' "$line"
  read -r word rest <<<"$line"
  case "$word" in
    ARG | FROM) ;; # the root is the base
    COPY)
      read -ra copied <<<"$rest"
      to=${copied[-1]}
      [[ $to = /*/ ]] || fail "COPY to a folder, whose path ends in /"
      mkdir -p "$top$to"
      for file in "${copied[@]::${#copied[@]}-1}"; do cp "$clone/$file" "$top$to"; done
      ;;
    RUN) inside "$top" sh -c "cd $place && $rest" || fail "RUN fails" ;;
    ENV) variables+=("$rest") ;;
    WORKDIR) place=$rest && mkdir -p "$top$place" ;;
    *) fail "this imitation does not know $word" ;;
  esac
done

chown -R 1234:1234 "$clone"
for command in "$@"; do
  printf '\n== as a user: %s\n' "$command"
  inside "$top" setpriv --reuid 1234 --regid 1234 --clear-groups sh -c "cd $place && $command" ||
    fail "\"$command\" ends with exit code $?"
done
[ ! -e "$clone/build-container/packages" ] ||
  fail "the image lacks: $(ls "$clone/build-container/packages/usr/bin")"
