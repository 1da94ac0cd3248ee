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
scripts/setup.sh doxygen libjs-mathjax mkdocs mkdocs-material python3-pymdownx

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PICUS_ROOT="$PWD" PICUS_API="$work/api"

phase="API reference (a public name without a comment, or a reference to nothing)"
mkdir "$PICUS_API"
quietly manual-doxygen doxygen scripts/manual/Doxyfile || { cat "$PICUS_API.warnings" >&2; false; }
/usr/bin/python3 scripts/manual/check_api.py "$work/xml"

phase="pages"
quietly manual-mkdocs /usr/bin/python3 -m mkdocs build --strict --clean -f scripts/manual/mkdocs.yml -d "$folder"

echo "manual: $folder/index.html"
