#!/bin/bash
# The container, without Docker: does what .devcontainer/Dockerfile of this checkout's commit says, in a fresh minimal Debian. Then it runs commands
# there on a clean clone, as the user whose clone it is: none can install anything. Needs root, debootstrap and a network.
#
# dockerfile.sh <folder of the root> [<command>...]
#
# <command>: in place of a look at what is installed, and a configuration of everything.
set -euo pipefail
source=$(git -C "$(dirname "$(readlink -f "$0")")" rev-parse --show-toplevel)
top=$1
shift
fail() {
  printf 'dockerfile: %s\n' "$*" >&2
  exit 1
}

(($# > 0)) || set -- 'git --version && cmake --version && ninja --version && g++ --version && python3 -m pip --version' \
  "cmake -S . -B \$LADDER_BUILD -G Ninja -DLADDER_TESTS=ON && ! ls \$LADDER_BUILD/*-packages && ! cat \$LADDER_BUILD/left-out"

trap 'umount -l "$top/proc" "$top/dev/shm" 2>/dev/null || true' EXIT
suite=$(sed -nE 's/^ARG BASE=debian:([a-z]+).*/\1/p' "$source/.devcontainer/Dockerfile")
if ! [ -e "$top/etc/debian_version" ]; then
  debootstrap --variant=minbase "$suite" "$top" >"$top.log" 2>&1 || fail "debootstrap failed: $(tail -n 3 "$top.log")"
fi
mount -t proc proc "$top/proc"
mkdir -p "$top/dev/shm"
mount -t tmpfs tmpfs "$top/dev/shm"
# How this machine reaches the network is no part of the image.
cp /etc/resolv.conf /etc/hosts "$top/etc/"
mkdir -p "$top/usr/local/share/ca-certificates"
find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} "$top/usr/local/share/ca-certificates/" ';'

clone=$top/kernel-ladder
rm -rf "$clone"
git clone -q "$source" "$clone"
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
  inside "$top" setpriv --reuid 1234 --regid 1234 --clear-groups sh -c "cd $place && $command" || fail "\"$command\" ends with exit code $?"
done
[ ! -e "$clone/build-container/packages" ] || fail "the image lacks: $(ls "$clone/build-container/packages/usr/bin")"
