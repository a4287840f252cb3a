# shellcheck shell=bash
# A fresh minimal Debian in a folder. Sourced by scripts that have a function fail.
source=$(git -C "$(dirname "$(readlink -f "$0")")" rev-parse --show-toplevel)

# make_root <suite> <folder>: unless it is there. Needs root, debootstrap and a network.
make_root() {
  top=$2
  trap 'umount -l "$top/proc" "$top/dev/shm" 2>/dev/null || true' EXIT
  if ! [ -e "$top/etc/debian_version" ]; then
    debootstrap --variant=minbase "$1" "$top" >"$top.log" 2>&1 ||
      fail "debootstrap failed: $(tail -n 3 "$top.log")"
  fi
  mount -t proc proc "$top/proc"
  mkdir -p "$top/dev/shm"
  mount -t tmpfs tmpfs "$top/dev/shm"
  # How this machine reaches the network is no part of what is tested.
  cp /etc/resolv.conf /etc/hosts "$top/etc/"
  mkdir -p "$top/usr/local/share/ca-certificates"
  find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} \
    "$top/usr/local/share/ca-certificates/" ';'
}

# make_clone <folder>: of this checkout's commit
make_clone() {
  rm -rf "$1"
  git clone -q "$source" "$1"
}
