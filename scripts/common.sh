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
