#!/usr/bin/env bash
# Runs clang-tidy with the project's .clang-tidy. Usage: scripts/tidy.sh [--all | FILE...]
#   without arguments   the sources changed since the last commit, and those that include a changed header
#   --all               all sources, in batches that share what they include
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

folders=(include src elements solvers models tests bench)

# The sources among the given files, and the sources that include the headers among them.
sources_of() {
  local file
  for file in "$@"; do
    case "$file" in
      tests/package/*) ;;  # a project of its own
      *.cpp) if [[ -e $file ]]; then echo "$file"; fi ;;
      *.hpp) grep -rlE --include='*.cpp' "#include [<\"](.*/)?$(basename "$file")[>\"]" "${folders[@]}" || true ;;
    esac
  done | grep -v '^tests/package/' | sort -u
}

if [[ ${1:-} == --all ]] || { (($# == 0)) && ! git rev-parse -q --verify HEAD >/dev/null; }; then
  mapfile -t files < <(find "${folders[@]}" -name '*.cpp' -not -path 'tests/package/*' | sort)
elif (($# > 0)); then
  mapfile -t files < <(sources_of "$@")
else
  mapfile -t changed < <(git diff --name-only HEAD; git ls-files --others --exclude-standard)
  mapfile -t files < <(sources_of "${changed[@]}")
fi
if ((${#files[@]} == 0)); then
  echo "tidy: no sources to check"
  exit 0
fi

scripts/setup.sh clang-tidy
# The options that only the compiler knows are no matter for clang-tidy, nor is that it counts signs with -Wconversion.
options=(-quiet -j"$(nproc)")
for flag in unknown-warning-option unused-command-line-argument sign-conversion; do options+=("-extra-arg=-Wno-$flag"); done
if [[ ${1:-} == --all ]]; then
  quietly tidy-configure cmake --preset tidy -B build/tidy-batches -DPICUS_UNITY=ON
  options+=(-p build/tidy-batches -checks=-bugprone-suspicious-include)
else
  quietly tidy-configure cmake --preset tidy
  options+=(-p build/tidy "${files[@]/#/^$PWD/}")
fi

# Its counts of the warnings in headers of others are no matter for us.
status=0
/usr/bin/python3 /usr/bin/run-clang-tidy "${options[@]}" >build/tidy.log 2>&1 || status=$?
grep -vE '^clang-tidy|^[0-9]+ warnings? (generated|treated)' build/tidy.log || true
if ((status == 0)); then
  echo "tidy: OK, ${#files[@]} sources"
else
  echo "tidy: FAILED"
fi
exit "$status"
