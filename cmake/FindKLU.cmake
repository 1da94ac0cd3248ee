# KLU: sparse LU factorisation of small and very sparse matrices (SuiteSparse).
# Defines SuiteSparse::KLU, KLU_FOUND and KLU_VERSION; see SuiteSparseModule.cmake.

include("${CMAKE_CURRENT_LIST_DIR}/SuiteSparseModule.cmake")
suitesparse_module(KLU LIBRARY klu HEADER klu.h)
