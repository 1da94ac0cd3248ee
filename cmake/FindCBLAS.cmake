# CBLAS: dense linear algebra with its C interface, OpenBLAS if it is there, else any other library that has it, and LAPACK.
#
# Defines the imported target CBLAS::CBLAS and
#   CBLAS_FOUND
#   CBLAS_IS_OPENBLAS  whether cblas.h also declares openblas_set_num_threads and its kin
#   CBLAS_VERSION      of OpenBLAS; empty for another library
# CBLAS_LIBRARY, CBLAS_LAPACK_LIBRARY and CBLAS_INCLUDE_DIR are in the cache, to be set by hand for an unusual place.
#
# SuiteSparse reaches its BLAS by the generic name libblas, which may be the slow reference one. OpenBLAS linked
# here stands before it in the order of symbols and serves SuiteSparse too.

include(FindPackageHandleStandardArgs)

find_library(CBLAS_LIBRARY NAMES openblas cblas blas)
get_filename_component(_cblas_name "${CBLAS_LIBRARY}" NAME)
set(CBLAS_IS_OPENBLAS FALSE)
if(_cblas_name MATCHES "openblas")
  set(CBLAS_IS_OPENBLAS TRUE)
  set(_cblas_folders openblas-pthread openblas-openmp openblas-serial openblas)
  set(CBLAS_LAPACK_LIBRARY "${CBLAS_LIBRARY}" CACHE FILEPATH "LAPACK")  # OpenBLAS has its own
else()
  find_library(CBLAS_LAPACK_LIBRARY NAMES lapack)
endif()

# OpenBLAS keeps its cblas.h in a folder of its own, because the generic place may hold that of another library.
find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES ${_cblas_folders})
mark_as_advanced(CBLAS_LIBRARY CBLAS_LAPACK_LIBRARY CBLAS_INCLUDE_DIR)

set(CBLAS_VERSION "")
if(CBLAS_IS_OPENBLAS AND EXISTS "${CBLAS_INCLUDE_DIR}/openblas_config.h")
  file(STRINGS "${CBLAS_INCLUDE_DIR}/openblas_config.h" CBLAS_VERSION REGEX "^#define[ \t]+OPENBLAS_VERSION")
  string(REGEX REPLACE ".*OpenBLAS ([0-9.]+).*" "\\1" CBLAS_VERSION "${CBLAS_VERSION}")
endif()

find_package_handle_standard_args(CBLAS
  REQUIRED_VARS CBLAS_LIBRARY CBLAS_LAPACK_LIBRARY CBLAS_INCLUDE_DIR
  VERSION_VAR CBLAS_VERSION
  REASON_FAILURE_MESSAGE "On Debian: apt-get install libopenblas-dev")

if(CBLAS_FOUND AND NOT TARGET CBLAS::CBLAS)
  add_library(CBLAS::CBLAS UNKNOWN IMPORTED)
  set_target_properties(CBLAS::CBLAS PROPERTIES
    IMPORTED_LOCATION "${CBLAS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CBLAS_INCLUDE_DIR}")
  if(NOT CBLAS_IS_OPENBLAS)
    set_target_properties(CBLAS::CBLAS PROPERTIES INTERFACE_LINK_LIBRARIES "${CBLAS_LAPACK_LIBRARY}")
  endif()
endif()
