#compdef ladder
# Completion of ./ladder, as ./ladder completion zsh writes it
_ladder_names() { compadd "${@[1,-2]}" -- $(%driver% list --names $@[-1] 2>/dev/null) }
_ladder_commands() {
  local -a commands=(
%names%
  )
  _describe command commands
}
_ladder() {
  local command=$words[2]
  if ((CURRENT == 2)); then
    command=''
  elif [[ $command == -* ]]; then
    command=run
  else
    shift words
    ((CURRENT -= 1))
  fi
  case $command in
%cases%
  esac
}
if [[ $funcstack[1] == _ladder ]]; then _ladder "$@"; else compdef _ladder ladder; fi
