# Completion of ./ladder, as ./ladder completion fish writes it
function _ladder_names; %driver% list --names $argv 2>/dev/null; end
function _ladder_is
  set -l words (commandline -opc)
  set -l command run
  if not set -q words[2]
    set command nothing
  else if not string match -q -- '-*' $words[2]
    set command $words[2]
  end
  test $command = $argv[1]
end
function _ladder_some
  set -l begun (string match -r '^.*,' -- (string replace -r '^-[^=]*=' '' -- (commandline -ct)))
  for one in $argv
    echo "$begun$one"
  end
end
complete -c ladder -f
%lines%
