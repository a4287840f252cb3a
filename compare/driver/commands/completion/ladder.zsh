#compdef ladder
# Completion of ./ladder, as ./ladder completion zsh writes it
_ladder() {
  local -a said=("${(@f)$(%driver% --complete "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  compset -P '--*='
  case $said[1] in
    files) _files ;;
    folders) _files -/ ;;
    words)
      said=("${(@)said[2,-1]/$'\t'/:}")
      local -a taking=("${(@M)said:#--*=:*}") others=("${(@)said:#--*=:*}")
      _describe word others -- taking -S '' ;;
  esac
}
if [[ $funcstack[1] == _ladder ]]; then _ladder "$@"; else compdef _ladder ladder; fi
