#!/bin/sh
# cached_compiler.sh CCACHE COMPILER ARGUMENT...: the compiler by way of ccache. Not for precompiled headers: GCC tells
# files that are included once by their times, too, and a cached header would have those of another checkout.
set -eu
cache="$1"
shift
case " $* " in
  *" c++-header "*) exec "$@" ;;
esac
export CCACHE_SLOPPINESS=pch_defines,time_macros
exec "$cache" "$@"
