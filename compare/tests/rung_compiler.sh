#!/bin/sh
# The launcher of the compiler for rungs leaves out the rungs that do not compile, and those alone.
# The compiler is of straw: it reads in the rung what to refuse it for, and says it as nvcc does.
# The marks at the beginning of files are for a real one.
#
# rung_compiler.sh <rung_compiler> <C++ compiler>
set -eu

launcher=$1
cxx=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
said=

fail() {
  printf 'rung_compiler: %s\n%s\n' "$*" "$said" >&2
  exit 1
}
says() {
  case "$said" in
    *"$1"*) ;;
    *) fail "it does not say \"$1\", but:" ;;
  esac
}

cat >straw <<'STRAW'
#!/bin/sh
# straw -c <file> -o <object>
error=error
[ "${LC_ALL:-}" = C ] || error=Fehler
status=0
for rung in "$2" $(sed -n 's/^#include "\(.*\.cu\)"/\1/p' "$2"); do
  case "$(grep '^// ' "$rung")" in
    *'wrong here'*) echo "$rung(3): $error: wrong here" && status=1 ;;
    *'wrong in a header'*) echo "$PWD/header.hpp(2): $error: wrong in a header" && status=1 ;;
    *'wrong for ptxas'*)
      echo "ptxas $PWD/gone.ptx, line 4; $error   : wrong for ptxas" && status=1
      ;;
    *'far inlined'*)
      echo "    inlined from 'void $(printf '%0999d' 0)(int)' at $PWD/header.hpp:9:3,"
      echo "$rung(3): $error: far inlined" && status=1
      ;;
    *'too much'*) echo "nvcc $error   : 'cicc' died due to signal 9 (Kill signal)" && status=1 ;;
  esac
done >&2
cp "$2" "$4"
exit "$status"
STRAW
chmod +x straw
touch header.hpp
mkdir -p handwritten/reduce

# rung <name> <text>
rung() { printf '%s\n' "$2" >"$scratch/handwritten/reduce/$1.cu"; }
# folder <name>...: a file with these rungs
folder() {
  for name; do
    printf '#define LADDER_UNIT %s\n#include "%s/handwritten/reduce/%s.cu"\n#undef LADDER_UNIT\n' \
      "$name" "$scratch" "$name"
  done >folder.cu
}
# compiled <exit status> <file>
compiled() {
  rm -f object.o
  status=0
  LC_ALL=de_DE.UTF-8 "$launcher" --keep-going ./straw -c "$2" -o object.o 2>log || status=$?
  said="$(cat log) $(cat object.o 2>/dev/null)"
  [ "$status" = "$1" ] || fail "$2 gives $status, not $1:"
}
# left_out <rung> <reason>; has <rung>
left_out() {
  says "LeftOut left_out_handwritten_reduce_$1_cu(\"handwritten/reduce/$1.cu\", \"$2\")"
  ! grep -q "^#include .*/$1.cu" object.o || fail "$1 is left out, and compiled"
}
has() { grep -q "^#include .*/$1.cu" object.o || fail "$1 is not compiled:"; }

rung good '// good'
rung fine '// fine'
rung here '// wrong here'
rung header '// wrong in a header'
rung ptxas '// wrong for ptxas'
rung far '// far inlined'
rung hungry '// too much'

folder good here fine
compiled 0 folder.cu
left_out here 'handwritten/reduce/here.cu(3): error: wrong here'
has good
has fine

# Where the error has no place in a rung, each is compiled alone.
folder good header fine ptxas here
compiled 0 folder.cu
left_out header "$scratch/header.hpp(2): error: wrong in a header"
left_out ptxas "ptxas $scratch/gone.ptx, line 4; error   : wrong for ptxas"
left_out here 'handwritten/reduce/here.cu(3): error: wrong here'
has good
has fine

# A line longer than the name of any file.
folder good far
compiled 0 folder.cu
left_out far 'handwritten/reduce/far.cu(3): error: far inlined'
has good

# A rung on its own.
compiled 0 "$scratch/handwritten/reduce/header.cu"
left_out header "$scratch/header.hpp(2): error: wrong in a header"

# What says nothing about the code ends the build.
folder good hungry
compiled 1 folder.cu
compiled 1 "$scratch/handwritten/reduce/hungry.cu"
! "$launcher" --keep-going ./no_compiler -c folder.cu -o object.o 2>log ||
  fail 'a compiler that is not there is no reason to go on'

# A byte order mark, as editors on Windows put it at the beginning, with and without something to
# translate.
printf '%s\n' 'namespace ladder {' 'template <class... T>' \
  'auto configured(T...) { return [](auto...) {}; }' '}' 'void k();' >launch.hpp
for text in 'int x = 1;' 'void f() { k<<<1, 2>>>(); }'; do
  printf '\357\273\277#include "launch.hpp"\n%s\n' "$text" >mark.cu
  "$launcher" --translate "$cxx" -std=c++20 -x c++ -c mark.cu -o mark.o 2>log || fail "$(cat log)"
done
printf '\357\273\277int a;\nvoid f() { k<<<1, 2>>>(); } int wrong = nothing;\n' >mark.cu
! "$launcher" --translate "$cxx" -x c++ -c mark.cu -o mark.o 2>log || fail 'an error is lost'
said=$(cat log)
says 'mark.cu:2:'
