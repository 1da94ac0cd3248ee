#!/usr/bin/env bash
# Builds and runs all tests. Usage: ./test.sh [--sanitize] [--only=NAME,...] [-DOPTION=VALUE...]
#   --sanitize        with the address and undefined-behaviour sanitizers
#   --only=NAME,...   the programs test_NAME alone and what they need, such as --only=core,solvers
#   -D...             passed on to CMake
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source scripts/common.sh

phase="start"
trap 'echo "test.sh: FAILED at $phase"' ERR

preset=release
options=()
only=()
for argument in "$@"; do
  case "$argument" in
    --sanitize) preset=sanitize ;;
    --only=?*) IFS=, read -ra only <<<"${argument#--only=}" ;;
    -D*=*) options+=("$argument") ;;
    *)
      sed -n '2,5s/^# //p' "${BASH_SOURCE[0]##*/}" >&2
      echo "test.sh: FAILED, unknown argument $argument"
      exit 2
      ;;
  esac
done

phase="setup"
scripts/setup.sh chromium python3-pandas pkg-config  # pages of reports and motions are looked at, results made into tables

phase="configure"
quietly "test-$preset-configure" cmake --preset "$preset" -DPICUS_UNITY=ON "${options[@]}"

phase="build"
echo "test.sh: building preset $preset (log in build/test-$preset-build.log)"
targets=()
((${#only[@]})) && targets=(--target "${only[@]/#/test_}")
quietly "test-$preset-build" cmake --build --preset "$preset" "${targets[@]}"

phase="tests"
# The full benchmarks take half an hour; under the sanitizers the quick ones would, too. Most of the random input is left to
# `ctest -L fuzz`.
left_out='full|fuzz'
[[ "$preset" == sanitize ]] && left_out='benchmark|full|fuzz'
chosen=(-LE "$left_out")
((${#only[@]})) && chosen+=(-L "^($(IFS='|' && echo "${only[*]}"))\$")
log="build/test-$preset-ctest.log"
# Once more what the failed tests said, as thousands of lines may follow it.
trap 'echo "test.sh: FAILED at $phase"; [[ -f "$log" ]] && sed -n "/^ *[0-9]*\/[0-9]* Test .*\*\*\*/,/^ *Start /p" "$log" | grep -v "(Skipped)" | tail -n 150' ERR
rm -f "$log"
export UBSAN_OPTIONS="print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
ctest --test-dir "build/$preset" "${chosen[@]}" --output-on-failure --no-tests=error -j"$(nproc)" 2>&1 | tee "$log"

count=$(sed -n 's/.* tests failed out of \([0-9]*\).*/\1/p' "$log")
echo "test.sh: OK, $count tests passed in $(time_taken)"
