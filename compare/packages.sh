# shellcheck shell=sh
# The Debian packages that the build needs: installed where that is allowed, otherwise unpacked
# below $packages, where no root is needed. Sourced by ladder, which has say and fail, and sets
# $root and $build.
: "${root:?}" "${build:?}"
packages=$build/packages

# Tools and libraries that were unpacked are found before the system's.
use_packages() {
  # unpacking was interrupted: half of it would be taken for all
  if [ -d "$packages/apt" ]; then rm -rf "$packages"; fi
  if ! [ -d "$packages/usr" ]; then return; fi
  libraries=
  headers=$packages/usr/include
  for folder in "$packages"/usr/lib/*-linux-gnu; do
    libraries=$folder:$libraries
    headers=$headers:$packages/usr/include/${folder##*/}
  done
  PATH=$packages/usr/bin:$PATH
  LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:-}
  LIBRARY_PATH=$libraries${LIBRARY_PATH:-}
  CMAKE_PREFIX_PATH=$packages/usr${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
  export PATH LD_LIBRARY_PATH LIBRARY_PATH CMAKE_PREFIX_PATH
  if ! [ -x "$packages/usr/bin/g++" ]; then # one that was unpacked has its headers there
    CPATH=$headers${CPATH:+:$CPATH}
    export CPATH
  fi
}

# is_debian: whether apt-get and dpkg-deb can fetch and unpack packages.
is_debian() { command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; }

# How to go on where nothing can be installed or unpacked.
by_hand="Install them with your package manager, or name the folders where they are in"
by_hand="$by_hand CMAKE_PREFIX_PATH, or use the container in .devcontainer/"

# install_packages <package>...: false where that fails, with the reason in $why.
install_packages() {
  why=
  if ! is_debian; then
    why="these packages are missing (Debian's names): $*. $by_hand; then run this again"
  elif [ "$(id -u)" = 0 ]; then
    install_as_root "" "$@"
  elif sudo -n true 2>/dev/null; then
    install_as_root sudo "$@"
  else
    unpack_packages "$@"
  fi
  [ -z "$why" ]
}

# install_as_root <sudo or nothing> <package>...
install_as_root() {
  sudo=$1
  shift
  say "installing: $*"
  # shellcheck disable=SC2086  # $sudo is a word or nothing
  {
    $sudo apt-get update -qq &&
      $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
  } >"$build/setup.log" 2>&1 ||
    why="installing failed; the last lines of $build/setup.log: $(tail -n 3 "$build/setup.log")"
}

# Fetches them, and all that they depend on and this system has not, by lists of apt's in the build
# folder.
unpack_packages() {
  say "unpacking into $packages, for there is no root and no sudo without a password: $*"
  apt=$packages/apt
  mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$packages/usr/bin" "$packages/usr/lib" \
    "$packages/usr/sbin"
  for folder in bin sbin lib lib64; do # as on a system where /lib is /usr/lib
    [ -e "$packages/$folder" ] ||
      { mkdir -p "$packages/usr/$folder" && ln -s "usr/$folder" "$packages/$folder"; }
  done
  as_user="-o Dir::State::Lists=$apt/lists -o Dir::Cache=$apt -o Debug::NoLocking=1"
  # shellcheck disable=SC2086  # a list of words
  (
    apt-get $as_user update -qq || true # what a system does after it may need root
    # --reinstall: a library that is there is unpacked too, for a compiler that was unpacked does
    # not look for the system's
    apt-get $as_user install -s --reinstall --no-install-recommends "$@" >"$apt/plan" &&
      sed -n 's/^Inst \([^ ]*\) .*/\1/p' "$apt/plan" | sort -u >"$apt/names" &&
      (cd "$apt/archives" && xargs apt-get $as_user download -qq <"$apt/names") &&
      for file in "$apt"/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$file" |
          tar -x --keep-directory-symlink --no-same-owner --no-same-permissions -C "$packages" ||
          exit 1
        rm "$file"
      done
  ) >"$build/setup.log" 2>&1 || {
    rm -rf "$packages" # half of it would be taken for all
    why="packages could not be unpacked without root; the last lines of $build/setup.log"
    why="$why (empty if the disk is full): $(tail -n 3 "$build/setup.log")
ladder: ask for this once: sudo apt-get install --no-install-recommends $*"
    return
  }
  # Of a library that the system has, only the headers and a link were unpacked.
  for folder in "$packages"/usr/lib/*-linux-gnu; do
    for library in /usr/lib/"${folder##*/}"/*.so.* /lib/"${folder##*/}"/*.so.*; do
      if [ -e "$library" ] && ! [ -e "$folder/${library##*/}" ]; then
        ln -sf "$library" "$folder"
      fi
    done
  done
  for loader in /lib64/ld-linux*; do
    if [ -e "$loader" ] && ! [ -e "$packages$loader" ]; then ln -sf "$loader" "$packages$loader"; fi
  done
  # A compiler that was unpacked takes headers and libraries from there.
  for compiler in "$packages"/usr/bin/g++ "$packages"/usr/bin/gcc; do
    if [ -L "$compiler" ]; then
      program=$(basename "$(readlink -f "$compiler")")
      rm "$compiler"
      # shellcheck disable=SC2016  # the shell that runs it expands these
      printf '%s\n' '#!/bin/sh' 'here=$(dirname -- "$(readlink -f -- "$0")")' \
        "exec \"\$here/$program\" --sysroot=\"\$here/../..\" \"\$@\"" >"$compiler"
      chmod +x "$compiler"
    fi
  done
  rm -rf "$apt" # last: where it is, unpacking was interrupted
  use_packages
}

# libraries_for <target>...: the packages that compare/dependencies.cmake names, with those of the
# tests where they are built.
libraries_for() {
  case " $* " in *' all '* | *' tests_of_kernels '*) indent=' *' ;; *) indent= ;; esac
  sed -nE "s/^${indent}ladder_need\(([^ ]+) .*/\1/p" "$root/compare/dependencies.cmake"
}

# set_up_tools <target>...: without the tools CMake cannot say which libraries are missing. Then one
# command asks for all of them.
set_up_tools() {
  use_packages
  missing=
  command -v cmake >/dev/null || missing="$missing cmake"
  command -v ninja >/dev/null || missing="$missing ninja-build"
  named=${CXX:-g++}
  command -v "${named%% *}" >/dev/null || missing="$missing g++"
  if [ -n "$missing" ]; then
    # fetches the headers of CCCL
    if ! python3 -m pip --version >/dev/null 2>&1; then missing="$missing python3-pip"; fi
    # shellcheck disable=SC2046,SC2086  # lists of words
    install_packages $missing $(libraries_for "$@") || fail "$why"
  fi
}

# install_what_cmake_missed: whether there was something to install. CMake wrote what it needs, and
# what it can do without.
install_what_cmake_missed() {
  needed=$(cat "$build/missing-packages" 2>/dev/null) || true
  wanted=$(cat "$build/wanted-packages" 2>/dev/null) || true
  [ -n "$needed$wanted" ] || return 1
  # shellcheck disable=SC2086  # lists of words
  install_packages $needed $wanted && return
  [ -z "$needed" ] || fail "$why"
  return 1
}
