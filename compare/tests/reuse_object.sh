#!/bin/sh
# Stands before the compiler of a scratch copy (CMAKE_CXX_COMPILER_LAUNCHER): takes what a build of
# the same sources has compiled already, and compiles only what is new.
#
# reuse_object.sh <that build's folder> <compiler> <argument>...
built=$1
shift
previous=
for argument in "$@"; do
  case "$previous" in
    -o) object=$argument ;;
    -MF) dependencies=$argument ;;
  esac
  previous=$argument
done
if [ -f "$built/$object" ]; then
  if [ -n "$dependencies" ]; then printf '%s:\n' "$object" >"$dependencies"; fi
  exec cp "$built/$object" "$object"
fi
exec "$@"
