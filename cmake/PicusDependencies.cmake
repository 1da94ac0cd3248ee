# The libraries that Picus stands on. A missing one stops the configuration with the Debian package that has it.

# picus_require(DEBIAN_PACKAGE NAME VERSION ...): find_package(NAME VERSION ...) with that message.
macro(picus_require debian_package name)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "${name} ${ARGV2} not found. On Debian: apt-get install ${debian_package}, or "
      "scripts/setup.sh for all that Picus needs.")
  endif()
endmacro()

picus_require(libeigen3-dev Eigen3 3.4 CONFIG)
picus_require(libfmt-dev fmt 9 CONFIG)
picus_require(libspectra-dev spectra 1.0 CONFIG)
if(PICUS_BUILD_PROGRAM)
  picus_require(libcli11-dev CLI11 2 CONFIG)
endif()
picus_require(nlohmann-json3-dev nlohmann_json 3.11 CONFIG)
picus_require(libqhull-dev Qhull 8.0 CONFIG)
picus_require(libhdf5-dev HDF5 1.10 COMPONENTS C)
picus_require(zlib1g-dev ZLIB 1.2)
picus_require(libtbb-dev TBB 2021 CONFIG)
find_package(Threads REQUIRED)

find_package(CAMD 2.4 REQUIRED)
find_package(CCOLAMD 2.9 REQUIRED)
find_package(KLU 1.3 REQUIRED)
find_package(UMFPACK 5.7 REQUIRED)
find_package(CHOLMOD 3.0 REQUIRED)
find_package(SPQR 2.0 REQUIRED)
find_package(CBLAS REQUIRED)

if(PICUS_BUILD_TESTS)
  picus_require("libgtest-dev libgmock-dev" GTest 1.12 CONFIG)
endif()
if(PICUS_BUILD_BENCHMARKS)
  picus_require(libbenchmark-dev benchmark 1.7 CONFIG)
endif()
