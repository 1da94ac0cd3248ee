#compdef picus
# Completion of the words of picus for zsh: commands, models, schemes, options and parameters as the program itself names them.

# The first column of the first table that has this title.
_picus_names() { "$words[1]" "${@:2}" 2>/dev/null | awk -v title="$1" 'on && NF == 0 {exit} on {print $1} $1 == title {on = 1}' }

_picus() {
  local program="$words[1]" command="$words[2]"
  if ((CURRENT == 2)); then
    compadd -- $("$program" --help 2>/dev/null | awk '/^Subcommands:/ {on = 1; next} on && /^  [a-z]/ {print $1}') --help --version
    return
  fi
  case "$words[CURRENT - 1]" in
    --scheme)
      compadd -- $(_picus_names scheme list --schemes)
      return
      ;;
    --set)
      compadd -S = -- $(_picus_names name info "$words[3]")
      return
      ;;
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    compadd -- $("$program" "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u)
    return
  fi
  case "$command" in
    info | run | converge | sweep | static | modes | fmu)
      if ((CURRENT == 3)); then
        compadd -- $(_picus_names model list)
        return
      fi
      ;;
    compare)
      compadd -- $(_picus_names model list)
      return
      ;;
    show | plot | export)
      _files -g '*.h5'
      return
      ;;
  esac
  _files
}

# Found by compinit, this file is the body of the function; sourced, it makes the function known.
if [[ "$funcstack[1]" == _picus ]]; then
  _picus "$@"
else
  compdef _picus picus
fi
