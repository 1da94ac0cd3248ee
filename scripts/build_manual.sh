#!/usr/bin/env bash
# Builds the user manual as a static site: FOLDER/index.html opens from disk and needs no network.
# Usage: scripts/build_manual.sh [FOLDER]   (build/manual unless given)
set -euo pipefail

folder=$(realpath -m "${1:-$(dirname "${BASH_SOURCE[0]}")/../build/manual}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

phase="start"
trap 'echo "build_manual: FAILED at $phase"' ERR

if (($# > 1)) || [[ "${1:-}" == -* ]]; then
  sed -n '3s/^# //p' scripts/build_manual.sh >&2
  exit 2
fi
# An old manual gives way to the new one; anything else in that place does not.
if [[ -n "$(ls -A "$folder" 2>/dev/null)" && ! -f "$folder/assets/search.js" ]]; then
  echo "build_manual: FAILED, $folder holds something that is not a manual" >&2
  exit 2
fi

phase="setup"
mapfile -t packages <scripts/manual/packages
scripts/setup.sh "${packages[@]}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PICUS_ROOT="$PWD" PICUS_API="$work/api" PICUS_HEADERS="$work/include/picus"

phase="API reference (a public name without a comment, or a reference to nothing)"
mkdir "$PICUS_API" "$work/include"
cp -r include/picus "$PICUS_HEADERS"
cp -r elements solvers "$PICUS_HEADERS"
if ! quietly manual-doxygen doxygen scripts/manual/Doxyfile; then
  sed "s#$PICUS_HEADERS/\(elements\|solvers\)/#\1/#; s#$PICUS_HEADERS/#include/picus/#" "$PICUS_API.warnings" >&2
  false
fi
/usr/bin/python3 scripts/manual/check_api.py "$work/xml"

phase="pages"
quietly manual-mkdocs /usr/bin/python3 -m mkdocs build --strict --clean -f scripts/manual/mkdocs.yml -d "$folder"

echo "manual: $folder/index.html"
