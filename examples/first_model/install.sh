./run.sh
cmake --install build/release --prefix "$HOME/picus"
export CMAKE_PREFIX_PATH="$HOME/picus" PATH="$HOME/picus/bin:$PATH"
