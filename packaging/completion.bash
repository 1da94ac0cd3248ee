# Completion of the words of picus for bash: commands, models, schemes, options and parameters as the program itself names them.

_picus() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" program="${COMP_WORDS[0]}" command="${COMP_WORDS[1]}"
  COMPREPLY=()
  # The first column of the first table that has this title.
  _picus_names() { "$program" "${@:2}" 2>/dev/null | awk -v title="$1" 'on && NF == 0 {exit} on {print $1} $1 == title {on = 1}'; }
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null | awk '/^Subcommands:/ {on = 1; next} on && /^  [a-z]/ {print $1}') --help --version" -- "$word")
    return
  fi
  case "$before" in
    --scheme)
      mapfile -t COMPREPLY < <(compgen -W "$(_picus_names scheme list --schemes)" -- "$word")
      return
      ;;
    --set)
      mapfile -t COMPREPLY < <(compgen -S = -W "$(_picus_names name info "${COMP_WORDS[2]}")" -- "$word")
      compopt -o nospace 2>/dev/null
      return
      ;;
  esac
  if [[ "$word" == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$program" "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u)" -- "$word")
    return
  fi
  case "$command" in
    info | run | converge | sweep | static | modes | fmu)
      if ((COMP_CWORD == 2)); then
        mapfile -t COMPREPLY < <(compgen -W "$(_picus_names model list)" -- "$word")
        return
      fi
      ;;
    compare)
      mapfile -t COMPREPLY < <(compgen -W "$(_picus_names model list)" -- "$word")
      return
      ;;
    show | plot | export)
      mapfile -t COMPREPLY < <(compgen -f -X '!*.h5' -- "$word"; compgen -d -- "$word")
      compopt -o filenames 2>/dev/null
      return
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
  compopt -o filenames 2>/dev/null
}

complete -F _picus picus
