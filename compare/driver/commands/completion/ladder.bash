# Completion of ./ladder, as ./ladder completion bash writes it
_ladder_names() { %driver% list --names "$1" 2>/dev/null; }
_ladder() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} words='' files='' one
  if [[ $word == '=' ]]; then
    word=''
  elif [[ $before == '=' ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then command=''; elif [[ $command == -* ]]; then command=run; fi
  local last=$word
  COMPREPLY=()
  case "$command $before" in
%values%
    *)
      case "$command ${word:0:1}" in
%words%
      esac ;;
  esac
  for one in $words; do
    if [[ $one == "$last"* ]]; then COMPREPLY+=("${word%"$last"}$one"); fi
  done
  if [[ $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$files" -- "$word")
  fi
}
complete -F _ladder ladder
