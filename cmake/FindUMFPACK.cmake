# UMFPACK: multifrontal LU factorisation of general sparse matrices (SuiteSparse).
# Defines SuiteSparse::UMFPACK, UMFPACK_FOUND and UMFPACK_VERSION; see SuiteSparseModule.cmake.

include("${CMAKE_CURRENT_LIST_DIR}/SuiteSparseModule.cmake")
suitesparse_module(UMFPACK LIBRARY umfpack HEADER umfpack.h)
