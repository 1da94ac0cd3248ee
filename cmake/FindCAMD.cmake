# CAMD: fill-reducing ordering of a sparse matrix under constraints (SuiteSparse).
# Defines SuiteSparse::CAMD, CAMD_FOUND and CAMD_VERSION; see SuiteSparseModule.cmake.

include("${CMAKE_CURRENT_LIST_DIR}/SuiteSparseModule.cmake")
suitesparse_module(CAMD LIBRARY camd HEADER camd.h)
