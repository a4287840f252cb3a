#!/bin/sh
# Kernels of another repository: does what docs/your_kernels.md says, by its own commands, in a
# scratch copy of the sources.
#
# your_kernels.sh <source folder> <folder of the built programs>
# shellcheck source=compare/tests/scratch_copy.sh
. "$(dirname "$0")/scratch_copy.sh"

page=$scratch/tree/docs/your_kernels.md
use_own_ladder
git() { command git -c user.name=somebody -c user.email=somebody@nowhere "$@"; }

keep_one_rung

# gives <exit code> <words of a shell>...: leaves in $said what it says
gives() {
  expected=$1
  shift
  status=0
  said=$("$@" 2>&1) || status=$?
  [ "$status" = "$expected" ] || fail "$* gives $status, not $expected: $said"
}

# From nothing to a report, as the page has it.
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" >"$scratch/steps"
[ "$(wc -l <"$scratch/steps")" = 5 ] || fail "the page does not have its 5 commands"
theirs=$scratch/my_kernels
while read -r step; do
  gives 0 sh -c "$step"
  case "$step" in
    *' new '*)
      git init -q "$theirs" && git -C "$theirs" add . && git -C "$theirs" commit -qm first
      ;;
    *' list '*) is_in "$said" 'from my_kernels' 'the listing does not mark the kernel' ;;
    *' check-kernels '*)
      is_in "$said" '1 rung, no findings' 'other rungs are checked too, or it has findings'
      ;;
    *' test '*)
      is_in "$said" 'emulated: handwritten/reduce/my_kernel agrees with every library' \
        'the kernel is not tested'
      ;;
  esac
done <"$scratch/steps"
grep -q '"from":"my_kernels"' ../my_report/results.json ||
  fail 'the result set does not mark the kernel'
grep -q "\"commit\":\"$(git -C "$theirs" rev-parse HEAD)\",\"dirty\":false,\"from\"" \
  ../my_report/results.json || fail 'the commit of the kernels is not recorded'
grep -q 'my_kernels, commit' ../my_report/report.md || fail 'the report does not mark the kernels'
gives 0 ./ladder check ../my_report
is_in "$said" 'some kernels are of my_kernels, not of this project' \
  'check does not warn of the kernels'

# A command without them does not have them; and to go back and forth builds nothing.
gives 0 ./ladder list
case "$said" in *my_kernel*) fail "a listing without --kernels has them: $said" ;; esac
workers() { stat -c '%Y.%y %n' build/bin/worker_* build/bin/kernels/worker_*; }
before=$(workers)
gives 0 ./ladder list --kernels ../my_kernels
gives 0 ./ladder list
[ "$(workers)" = "$before" ] ||
  fail "to go back and forth builds worker programs: $before; $(workers)"

# The steps of the workflow, in a repository with a space in its name: on a right kernel, a racy
# one, one that does not compile, and a right one again.
mkdir "$scratch/their repository"
mv "$theirs" "$scratch/their repository/kernels"
ln -s "$scratch/tree" "$scratch/ladder"
export RUNNER_TEMP="$scratch"
# shellcheck disable=SC2016  # a word of the page
sed -n 's/^ *- run: \(\$RUNNER_TEMP.*\)/\1/p' "$page" >"$scratch/steps"
[ "$(wc -l <"$scratch/steps")" = 2 ] || fail "the workflow does not have its 2 steps"
rungs="$scratch/their repository/kernels/handwritten/reduce"
workflow() { # <exit code of check-kernels> <of test>
  cd "$scratch/their repository"
  gives "$1" sh -c "$(sed -n 1p "$scratch/steps")"
  checked=$said
  gives "$2" sh -c "$(sed -n 2p "$scratch/steps")"
  tested=$said
}
(cd "$scratch/tree" && example your_kernels.md handwritten/reduce/warp_atomics.cu)
mv "$scratch/tree/handwritten/reduce/warp_atomics.cu" "$rungs"
(
  workflow 0 0
  is_in "$checked" '2 rungs, no findings' 'the kernel of the page has findings'
  is_in "$tested" 'emulated: handwritten/reduce/warp_atomics agrees with every library' \
    'the kernel of the page is not tested'
)
rm "$rungs/warp_atomics.cu"
sed 's/{1, 1}, stream/{1, 33}, stream/; s/\*out = total/out[0] = out[0] + total/
     s/my_kernel/racy/g; s/MyKernel/Racy/g' "$rungs/my_kernel.cu" >"$rungs/racy.cu"
(
  workflow 1 1
  is_in "$checked" "$rungs/racy.cu:" 'the line of a finding is not named'
  is_in "$tested" 'handwritten/reduce/racy gives the exact answer' 'the failed test is not named'
)
sed 's/{1, 1}, stream/{1, 1}, {}/; s/my_kernel/elsewhere/g; s/MyKernel/Elsewhere/g' \
  "$rungs/my_kernel.cu" >"$rungs/elsewhere.cu"
rm "$rungs/racy.cu"
(
  workflow 1 1
  is_in "$checked" "a launch without a stream, in $rungs/elsewhere.cu:" \
    'a launch that no GPU times is not named'
  is_in "$tested" 'a launch without a stream, in ' 'its test does not say why it fails'
)
sed 's/ total;$/ nothing;/; s/my_kernel/refused/g; s/MyKernel/Refused/g' "$rungs/my_kernel.cu" \
  >"$rungs/refused.cu"
rm "$rungs/elsewhere.cu"
(
  workflow 1 1
  is_in "$checked" "$rungs/refused.cu:" "the compiler's message is not shown"
  is_in "$checked" 'handwritten/reduce/refused.cu is left out on the emulated backend' \
    'the file that does not compile is not named'
  is_in "$checked" '1 rung, no findings' 'a file that does not compile stops the others'
  is_in "$tested" 'handwritten/reduce/refused.cu compiles' \
    'no test fails for the file that does not compile'
)
rm "$rungs/refused.cu"

# Inline PTX, in a header: the file is left out, and compiled again when the header alone is mended.
# shellcheck disable=SC2016  # of PTX
echo 'inline unsigned lane() { unsigned id; asm("mov.u32 %0, %%laneid;" : "=r"(id)); return id; }' \
  >"$rungs/lane.hpp"
sed 's/^#include "compare\/launch.hpp"/&\n#include "lane.hpp"/
     s/^  const Op op;/&\n  if (lane() > 0) return;/
     s/my_kernel/with_lane/g; s/MyKernel/WithLane/g' "$rungs/my_kernel.cu" >"$rungs/with_lane.cu"
(
  workflow 1 1
  is_in "$checked" 'handwritten/reduce/with_lane.cu is left out on the emulated backend' \
    'a file with inline PTX stops the others'
  is_in "$checked" 'only nvcc takes inline PTX' 'inline PTX is not named'
)
echo '#include <device_launch_parameters.h>' >"$rungs/lane.hpp"
echo '__device__ inline unsigned lane() { return threadIdx.x % 32; }' >>"$rungs/lane.hpp"
(
  workflow 0 0
  is_in "$checked" '2 rungs, no findings' 'a file is left out although its header is mended'
)
rm "$rungs/with_lane.cu" "$rungs/lane.hpp"

# A header of theirs, beside the rung and by its folder; and changes that are not committed.
echo 'constexpr unsigned mine = 1;' >"$rungs/mine.hpp"
echo 'constexpr unsigned ours = 1;' >"$rungs/../ours.hpp"
sed -i 's/^#include "compare\/launch.hpp"/&\n#include "handwritten\/ours.hpp"\n#include "mine.hpp"/
        s/{1, 1}, stream/{ours, mine}, stream/' "$rungs/my_kernel.cu"
(workflow 0 0)
grep -q '"dirty": true' build/bin/kernels/origin.json ||
  fail "changes that are not committed are not recorded: $(cat build/bin/kernels/origin.json)"

# What is refused, each by one sentence, before anything is built.
refuses() { # <part of the sentence> <folder>
  gives 2 ./ladder check-kernels --kernels "$2"
  is_in "$said" "$1" "$2 is refused by another sentence"
  [ "$(printf '%s\n' "$said" | wc -l)" = 1 ] || fail "$2 is refused by more than a sentence: $said"
  gives 2 ./ladder test --kernels "$2"
  is_in "$said" "$1" "test refuses $2 by another sentence"
}
mkdir -p "$scratch/empty/reduce" "$scratch/odd;name" "$scratch/clash/handwritten/reduce" \
  "$scratch/link/handwritten/reduce" \
  "$scratch/typo/handwritten/reduc"
touch "$scratch/typo/handwritten/reduc/a.cu"
touch "$scratch/empty/reduce/a.cu" "$scratch/clash/handwritten/reduce/serial.sm90.cu"
ln -s nowhere.cu "$scratch/link/handwritten/reduce/a.cu"
refuses 'there is no folder' "$scratch/nowhere"
refuses 'an empty word' ''
refuses 'there are no kernels in' "$scratch/empty"
refuses 'is in this project' handwritten
refuses 'in its path' "$scratch/odd;name"
refuses 'has the name of handwritten/reduce/serial.cu' "$scratch/clash"
refuses 'is a link to nothing' "$scratch/link"
refuses 'there is no operation reduc; choose from ' "$scratch/typo"
# shellcheck disable=SC2016  # a name, however odd
for name in my-kernel.cu 'a b.cu' 'a$(id)b.cu' 'a"b.cu' 'a;b.cu' 'a\b.cu' a.b.cu; do
  mkdir -p "$scratch/named/handwritten/reduce"
  touch "$scratch/named/handwritten/reduce/$name"
  refuses 'is not named like a rung' "$scratch/named"
  rm -r "$scratch/named"
done

# What lies in the folder of the last --kernels does not stop a command without it: the lock file of
# an editor, a name that ninja cannot take.
cd "$scratch/tree"
ln -s user@host.1234 "$rungs/.#my_kernel.cu"
ln -s user@host.1234 handwritten/reduce/.#serial.cu
gives 0 ./ladder list --kernels "$scratch/their repository/kernels"
is_in "$said" my_kernel 'a lock file hides the kernel'
rm handwritten/reduce/.#serial.cu
# shellcheck disable=SC2016
touch "$rungs/"'a$(id)"b.cu'
gives 0 ./ladder list
rm "$rungs/"*b.cu
gives 0 ./ladder list --kernels "$scratch/their repository/kernels"
is_in "$said" my_kernel 'the kernel does not come back'
gives 2 ./ladder list --kernels
gives 2 build/bin/ladder list --kernels "$scratch/empty"
is_in "$said" 'were not built with the kernels of' 'programs of another folder are taken'
gives 2 ./ladder new reduce/serial --in "$scratch/empty"
is_in "$said" 'there is a rung serial already' 'a name of this project is given again'
gives 2 ./ladder new reduced/one --in "$scratch/empty"
is_in "$said" 'did you mean reduce' 'the nearest folder is not said'
gives 2 ./ladder new ../one --in "$scratch/empty"
gives 2 ./ladder new reduce/stream --in "$scratch/empty"
is_in "$said" 'would be the class Stream' 'a name that does not compile is given'
gives 2 ./ladder new reduce/mine --in "$scratch/tree/compare"
is_in "$said" 'is in this project' 'a folder that --kernels refuses is taken'
gives 2 ./ladder new reduce/mine --in "$scratch/a;b"
is_in "$said" 'CMake cannot build' 'a folder that CMake refuses is taken'
