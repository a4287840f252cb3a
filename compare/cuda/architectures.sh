#!/usr/bin/env bash
# Compiles every rung of handwritten/ for every architecture that it is written for, and links
# nothing. A file <rung>.sm90.cu is for sm_90 and later, and <rung>.cccl24.cu for CCCL 2.4 and
# later. Run before a result set is published.
#
# compare/cuda/architectures.sh [<architecture>...]    where none is given, those of 75 80 90 100
# 120 that nvcc knows
set -euo pipefail
cd "$(dirname "$0")/../.."

nvcc=${CUDACXX:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
known=$("$nvcc" --list-gpu-arch)
if (($# == 0)); then
  for architecture in 75 80 90 100 120; do
    if [[ $known == *compute_$architecture* ]]; then
      set -- "$@" "$architecture"
    else
      echo "$nvcc does not know sm_$architecture" >&2
    fi
  done
fi
architectures=$*
cccl=$(echo 'CUB_VERSION' | "$nvcc" -E -x cu -include cub/version.cuh - | tail -n 1)
export nvcc architectures cccl

# compile <file> <architecture>...: device code alone; the host's half is the same for all of them
# (compare/tests/kernel_names.sh).
compile() {
  local file=$1 options=()
  shift
  for architecture; do options+=(-gencode "arch=compute_$architecture,code=sm_$architecture"); done
  "$nvcc" -std=c++20 -O3 --expt-relaxed-constexpr --extended-lambda -I. -DLADDER_UNIT=unit \
    "${options[@]}" -fatbin -o /dev/null "$file" 2>&1
}

# One line for each architecture that the file does not compile for; one call for all of them where
# it does.
check() {
  local file=$1 its_own=() least=0 said
  [[ $file =~ \.sm([0-9]+)\. ]] && least=${BASH_REMATCH[1]}
  if [[ $file =~ \.cccl([0-9])([0-9]+)\. ]] &&
    ((cccl < BASH_REMATCH[1] * 100000 + BASH_REMATCH[2] * 100)); then
    echo "$file needs CCCL ${BASH_REMATCH[1]}.${BASH_REMATCH[2]}" >&2
    least=999
  fi
  for architecture in $architectures; do
    ((architecture < least)) || its_own+=("$architecture")
  done
  if ((${#its_own[@]} == 0)) || compile "$file" "${its_own[@]}" >/dev/null; then
    echo "compiled ${#its_own[@]}"
    return
  fi
  for architecture in "${its_own[@]}"; do
    if said=$(compile "$file" "$architecture"); then echo "compiled 1"; else
      first=$(grep -m 1 -E 'error|fatal' <<<"$said" || tail -n 1 <<<"$said")
      echo "$file does not compile for sm_$architecture: $first"
    fi
  done
}
export -f compile check

git ls-files 'handwritten/*.cu' | xargs -P "$(nproc)" -I{} bash -c 'check {}' | awk '
  /^compiled [0-9]+$/ { compiled += $2; next }
  { print; ++failed }
  END { printf "%d compiled, %d failed\n", compiled, failed; exit failed > 0 || compiled == 0 }'
