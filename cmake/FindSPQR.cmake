# SPQR: rank-revealing QR factorisation of sparse matrices (SuiteSparse).
# Defines SuiteSparse::SPQR, SPQR_FOUND and SPQR_VERSION; see SuiteSparseModule.cmake.

include("${CMAKE_CURRENT_LIST_DIR}/SuiteSparseModule.cmake")
suitesparse_module(SPQR LIBRARY spqr HEADER SuiteSparseQR.hpp VERSION_HEADER SuiteSparseQR_definitions.h)
