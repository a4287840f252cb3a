#!/usr/bin/env bash
# The calls of two versions of CCCL are linked into one program. The linker keeps one of two inline
# functions that have the same name, so none of CCCL may have: one version would run code of the
# other.
#
# two_cccls.sh <nm> <folder of the objects of one> <folder of the objects of the other>
set -euo pipefail

symbols() {
  find "$2" -name '*.o' -exec "$1" --defined-only --extern-only --no-demangle --format=posix {} + |
    awk 'NF > 2 { print $1 }' | sort -u
}
# What mentions a namespace of CCCL. Not our own ladder::cuda.
of_cccl() {
  c++filt | sed 's/ladder::cuda:://g' | grep -E '(^|[^:[:alnum:]_])(cuda|cub|thrust)::' || true
}

for folder in "$2" "$3"; do
  [ -n "$(symbols "$1" "$folder" | of_cccl)" ] ||
    { echo "two_cccls: $folder has no object with calls of CCCL"; exit 1; }
done
both=$(comm -12 <(symbols "$1" "$2") <(symbols "$1" "$3") | of_cccl)
if [ -n "$both" ]; then
  printf 'two_cccls: both versions define\n%s\n' "$both" | sed -n 1,20p
  exit 1
fi
