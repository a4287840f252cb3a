#!/bin/bash
# What a stranger meets: a fresh minimal Debian without a CUDA toolkit, with git; a clean clone of this checkout's commit; and the two commands of the
# README as they are written there. Needs root, debootstrap and a network. Says how long each command took, and the CPU seconds.
#
# fresh_root.sh <bookworm|trixie> <root|sudo|user> <folder of the root> [<command>...]
#
# root: the commands run as root. sudo: as a user who may use sudo without a password. user: as one who may not. <command>: in place of the README's.
set -euo pipefail
source=$(git -C "$(dirname "$(readlink -f "$0")")" rev-parse --show-toplevel)
suite=$1 who=$2 top=$3
shift 3
if (($# == 0)); then
  mapfile -t commands < <(sed -nE '/^\.\/ladder/ s/ +#.*//p' "$source/README.md")
else
  commands=("$@")
fi

fail() {
  printf 'fresh_root: %s\n' "$*" >&2
  exit 1
}

((${#commands[@]} > 0)) || fail "README.md has no commands"
trap 'umount -l "$top/proc" "$top/dev/shm" 2>/dev/null || true' EXIT
if ! [ -e "$top/etc/debian_version" ]; then
  debootstrap --variant=minbase "$suite" "$top" >"$top.log" 2>&1 || fail "debootstrap failed: $(tail -n 3 "$top.log")"
fi
mount -t proc proc "$top/proc"
mkdir -p "$top/dev/shm"
mount -t tmpfs tmpfs "$top/dev/shm"
[ -z "$(ls -d "$top"/usr/local/cuda* 2>/dev/null)" ] || fail "there is a CUDA toolkit in $top"
# How this machine reaches the network is no part of what a user has to set up.
cp /etc/resolv.conf /etc/hosts "$top/etc/"
mkdir -p "$top/usr/local/share/ca-certificates"
find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} "$top/usr/local/share/ca-certificates/" ';'

inside() { env -i HOME="$home" PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 chroot "$top" "$@"; }
as_user=() home=/root
install() {
  inside sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"' install "$@" >"$top.log" 2>&1 ||
    fail "$* cannot be installed: $(tail -n 3 "$top.log")"
}
install git ca-certificates
if [ "$who" != root ]; then
  home=/home/ann
  inside useradd --create-home --home-dir "$home" --shell /bin/sh ann
  as_user=(setpriv --reuid ann --regid ann --clear-groups --reset-env)
  if [ "$who" = sudo ]; then
    install sudo
    echo 'ann ALL=(ALL) NOPASSWD: ALL' >"$top/etc/sudoers.d/ann"
  fi
fi
git clone -q "$source" "$top$home/kernel-ladder"
inside chown -R "$(stat -c %u:%g "$top$home")" "$home/kernel-ladder"

for command in "${commands[@]}"; do
  printf '\n== %s, %s: %s\n' "$suite" "$who" "$command"
  status=0
  TIMEFORMAT='%0R s, %0U CPU s'
  time inside "${as_user[@]}" sh -c "cd $home/kernel-ladder && $command" || status=$?
  [ "$status" = 0 ] || fail "on $suite, as $who, \"$command\" ends with exit code $status"
done
