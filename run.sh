#!/usr/bin/env bash
# Builds Picus and runs its showcase, the woodpecker toy: woodpecker.h5 (results) and woodpecker.png (plot).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source scripts/common.sh

phase="start"
trap 'echo "run.sh: FAILED at $phase"' ERR

if (($#)); then
  echo "run.sh: FAILED, it takes no arguments, and got $1"
  exit 2
fi

phase="setup"
scripts/setup.sh

phase="configure"
quietly run-configure cmake --preset release -DPICUS_UNITY=ON

phase="build"
echo "run.sh: building (log in build/run-build.log)"
quietly run-build cmake --build --preset release --target picus

phase="simulation"
build/release/bin/picus run woodpecker --set case=II --until 1.5 --step 1e-4 --out woodpecker.h5 --force

# Debian's own python3: another one on the PATH lacks the packages that setup installs.
phase="plot"
/usr/bin/python3 scripts/plot_woodpecker.py woodpecker.h5 woodpecker.png

echo "results: $PWD/woodpecker.h5"
echo "plot:    $PWD/woodpecker.png"
echo "run.sh: OK, woodpecker.h5 and woodpecker.png are written in $(time_taken)"
