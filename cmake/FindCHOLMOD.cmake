# CHOLMOD: supernodal Cholesky factorisation of sparse positive definite matrices (SuiteSparse).
# Defines SuiteSparse::CHOLMOD, CHOLMOD_FOUND and CHOLMOD_VERSION; see SuiteSparseModule.cmake.

include("${CMAKE_CURRENT_LIST_DIR}/SuiteSparseModule.cmake")
suitesparse_module(CHOLMOD LIBRARY cholmod HEADER cholmod.h VERSION_HEADER cholmod_core.h)
