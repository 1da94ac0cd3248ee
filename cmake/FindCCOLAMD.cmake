# CCOLAMD: fill-reducing column ordering of a sparse matrix under constraints (SuiteSparse).
# Defines SuiteSparse::CCOLAMD, CCOLAMD_FOUND and CCOLAMD_VERSION; see SuiteSparseModule.cmake.

include("${CMAKE_CURRENT_LIST_DIR}/SuiteSparseModule.cmake")
suitesparse_module(CCOLAMD LIBRARY ccolamd HEADER ccolamd.h)
