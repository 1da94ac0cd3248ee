#!/usr/bin/env bash
# Builds the user manual as a static site: FOLDER/index.html opens from disk and needs no network.
# Usage: scripts/build_manual.sh [--if-ready] [FOLDER]   (build/manual unless given; --if-ready: installs nothing, and leaves the
# manual out where its tools are missing)
set -euo pipefail

if_ready=false
if [[ "${1:-}" == --if-ready ]]; then
  if_ready=true
  shift
fi
folder=$(realpath -m "${1:-$(dirname "${BASH_SOURCE[0]}")/../build/manual}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

phase="start"
trap 'echo "build_manual: FAILED at $phase"' ERR

if (($# > 1)) || [[ "${1:-}" == -* ]]; then
  sed -n '3,4s/^# //p' scripts/build_manual.sh >&2
  exit 2
fi
# An old manual gives way to the new one; anything else in that place does not.
if [[ -n "$(ls -A "$folder" 2>/dev/null)" && ! -f "$folder/assets/search.js" ]]; then
  echo "build_manual: FAILED, $folder holds something that is not a manual" >&2
  exit 2
fi

phase="setup"
mapfile -t packages <scripts/manual/packages
if [[ $if_ready == true ]]; then
  for package in "${packages[@]}"; do
    if [[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]]; then
      echo "manual: left out, the package $package is missing"
      exit 0
    fi
  done
else
  scripts/setup.sh "${packages[@]}"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PICUS_ROOT="$PWD" PICUS_API="$work/api" PICUS_HEADERS="$work/include/picus"

phase="API reference (a public name without a comment, or a reference to nothing)"
mkdir "$PICUS_API" "$work/include"
cp -r include/picus "$PICUS_HEADERS"
cp -r elements solvers "$PICUS_HEADERS"
cp scripts/manual/api.md "$work/include"  # beside them: pages name the folders of what they are made of
if ! quietly manual-doxygen doxygen scripts/manual/Doxyfile; then
  sed "s#$PICUS_HEADERS/\(elements\|solvers\)/#\1/#; s#$PICUS_HEADERS/#include/picus/#" "$PICUS_API.warnings" >&2
  false
fi
/usr/bin/python3 scripts/manual/check_api.py "$work/xml"

phase="pages"
quietly manual-mkdocs /usr/bin/python3 -m mkdocs build --strict --clean -f scripts/manual/mkdocs.yml -d "$folder"

# Of what the pages contain of others.
mkdir -p "$folder/licences"
for package in doxygen libjs-jquery libjs-mathjax mkdocs-material; do
  cp "/usr/share/doc/$package/copyright" "$folder/licences/$package.txt"
done

echo "manual: $folder/index.html"
