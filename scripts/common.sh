# shellcheck shell=bash
# Shared by the entry scripts, which source it from the project folder.

# quietly LOG COMMAND...: runs the command with its output in build/LOG.log; if it fails, shows the end of that.
quietly() {
  local log="build/$1.log" status=0
  shift
  mkdir -p build
  "$@" >"$log" 2>&1 || status=$?
  if ((status != 0)); then
    printf '%s\n' "--- the end of $log:" >&2
    tail -n 40 "$log" >&2
    printf '%s\n' "--- failed: $*" >&2
  fi
  return "$status"
}

# time_taken: what the script and all that it started have taken so far, "150 s, 282 s of CPU time".
time_taken() {
  local ticks fields
  # Of the shell itself and its ended children, user and system. $$ is the script also in a subshell.
  read -r ticks < <(getconf CLK_TCK)
  fields=$(sed 's/.*) //' "/proc/$$/stat")
  # shellcheck disable=SC2086  # split on purpose
  set -- $fields
  echo "$SECONDS s, $(((${12} + ${13} + ${14} + ${15}) / ticks)) s of CPU time"
}
