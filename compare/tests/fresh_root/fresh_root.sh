#!/bin/bash
# What a stranger meets: a fresh minimal Debian without a CUDA toolkit, with git; a clean clone of
# this checkout's commit; and the two commands of the README as they are written there. Needs root,
# debootstrap and a network. Says how long each command took, and the CPU seconds.
#
# fresh_root.sh <bookworm|trixie> <root|sudo|user|cuda> <folder of the root> [<command>...]
#
# root: the commands run as root. sudo: as a user who may use sudo without a password. user: as one
# who may not. cuda: as root, with the nvcc of the release; it is not the README's commands that run
# then, but a build of every target for sm_75 and for sm_90, and what is left out is compared with
# compare/tests/left_out/. <command>: in place of all these. $LADDER_CMAKE_FLAGS is kept.
set -euo pipefail
fail() {
  printf 'fresh_root: %s\n' "$*" >&2
  exit 1
}
# shellcheck source=compare/tests/fresh_root/root.sh
. "$(dirname "$0")/root.sh"

suite=$1 who=$2
make_root "$suite" "$3"
shift 3
commands=("$@")
if ((${#commands[@]} == 0)); then
  if [ "$who" = cuda ]; then
    lists=compare/tests/left_out
    release=$(sed -nE 's/.*-([0-9.]+)-sm_75\.txt$/\1/p' <<<"$(ls "$source/$lists"/*)")
    commands=("nvcc --version | grep -F 'release $release'")
    for architecture in 75 90; do
      commands+=("export LADDER_CUDA=on LADDER_BUILD=\$PWD/build-sm_$architecture LADDER_CMAKE_FLAGS=-DCMAKE_CUDA_ARCHITECTURES=$architecture-real
        ./ladder test -N &&
          diff $lists/cuda-$release-sm_$architecture.txt \$LADDER_BUILD/left-out-rungs &&
          \$LADDER_BUILD/bin/ladder list")
    done
  else
    mapfile -t commands < <(sed -nE '/^\.\/ladder/ s/ +#.*//p' "$source/README.md")
  fi
fi
((${#commands[@]} > 0)) || fail "README.md has no commands"
[ -z "$(ls -d "$top"/usr/local/cuda* 2>/dev/null)" ] || fail "there is a CUDA toolkit in $top"

flags=(${LADDER_CMAKE_FLAGS:+"LADDER_CMAKE_FLAGS=$LADDER_CMAKE_FLAGS"})
inside() {
  env -i "${flags[@]}" HOME="$home" PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    chroot "$top" "$@"
}
install() {
  inside sh -c 'apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"' \
    install "$@" >"$top.log" 2>&1 ||
    fail "$* cannot be installed: $(tail -n 3 "$top.log")"
}
as_user=() home=/root
case "$who" in
  root) install git ca-certificates ;;
  cuda)
    sed -i 's/ main$/ main contrib non-free/' "$top/etc/apt/sources.list"
    install git ca-certificates nvidia-cuda-toolkit
    ;;
  sudo | user)
    home=/home/ann
    [ -d "$top$home" ] || inside useradd --create-home --home-dir "$home" --shell /bin/sh ann
    as_user=(setpriv --reuid ann --regid ann --clear-groups --reset-env)
    install git ca-certificates
    if [ "$who" = sudo ]; then
      install sudo
      echo 'ann ALL=(ALL) NOPASSWD: ALL' >"$top/etc/sudoers.d/ann"
    fi
    ;;
  *) fail "\"$who\" is none of root, sudo, user and cuda" ;;
esac
make_clone "$top$home/kernel-ladder"
inside chown -R "$(stat -c %u:%g "$top$home")" "$home/kernel-ladder"

for command in "${commands[@]}"; do
  printf '\n== %s, %s: %s\n' "$suite" "$who" "$command"
  status=0
  TIMEFORMAT='%0R s, %0U CPU s'
  time inside "${as_user[@]}" env "${flags[@]}" sh -c "cd $home/kernel-ladder && $command" ||
    status=$?
  [ "$status" = 0 ] || fail "on $suite, as $who, \"$command\" ends with exit code $status"
done
