# Completion of ./ladder, as ./ladder completion fish writes it
function _ladder
  set -l before (commandline -opc)
  set -l word (commandline -ct)
  set -l said (%driver% --complete $before[2..-1] "$word" 2>/dev/null)
  set -l begun (string match -r '^--[^=]*=' -- "$word")
  set -l value (string replace -- "$begun" '' "$word")
  switch "$said[1]"
    case files
      printf "$begun%s\n" (__fish_complete_path "$value")
    case folders
      printf "$begun%s\n" (__fish_complete_directories "$value" '')
    case words
      printf "$begun%s\n" (string replace -r '=?\t' '\t' -- $said[2..-1])
  end
end
complete -c ladder -f -a '(_ladder)'
