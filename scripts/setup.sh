#!/usr/bin/env bash
# Installs the Debian packages that Picus needs and this machine lacks.
# Usage: scripts/setup.sh [PACKAGE...]   (further packages, needed by a single script)
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache
  libeigen3-dev libsuitesparse-dev libopenblas-dev libhdf5-dev zlib1g-dev libfmt-dev libcli11-dev
  libspectra-dev nlohmann-json3-dev libqhull-dev libtbb-dev
  libgtest-dev libgmock-dev libbenchmark-dev
  python3 python3-distributed python3-h5py python3-jinja2 python3-matplotlib python3-numpy libjs-three
  "$@"
)

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; if something is missing, install what corresponds to: ${packages[*]}"
  exit 0
fi

missing=()
find_missing() {
  local installed package
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
  missing=()
  for package in "${packages[@]}"; do
    grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
  done
}

give_up() {
  find_missing
  {
    echo "setup: FAILED: $1"
    echo "setup: missing Debian packages: ${missing[*]}"
    echo "setup: install them with: apt-get install ${missing[*]}"
  } >&2
  exit 1
}

find_missing
if ((${#missing[@]} == 0)); then
  echo "setup: all ${#packages[@]} packages are installed"
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || give_up "not root, and there is no sudo"
  sudo -n true 2>/dev/null || give_up "not root, and sudo asks for a password"
  as_root=(sudo -n)
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh
echo "setup: installing ${missing[*]}"
apt() {
  quietly "setup-$1" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$@"
}
# An update that fails in part may still leave lists that are good enough.
apt update || true
apt install -y --no-install-recommends "${missing[@]}" || give_up "apt-get could not install all packages"
find_missing
((${#missing[@]} == 0)) || give_up "apt-get left some packages out"
echo "setup: done"
