# Completion of ./ladder, as ./ladder completion bash writes it
_ladder() {
  local word=${COMP_WORDS[COMP_CWORD]} files='' said
  mapfile -t said < <(%driver% --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $word == '=' ]]; then word=''; fi
  case ${said[0]} in
    files) files=-f ;;
    folders) files=-d ;;
  esac
  if [[ $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$files" -- "$word")
  else
    said=("${said[@]:1}")
    said=("${said[@]%%$'\t'*}")
    mapfile -t COMPREPLY < <(compgen -W "${said[*]%=}" -- "$word")
  fi
}
complete -F _ladder ladder
