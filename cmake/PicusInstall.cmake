# Installs headers and libraries (the programs and libraries declare themselves) as the CMake package `picus`.

include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/picus")

install(DIRECTORY include/picus DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY elements solvers models DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/picus"
  FILES_MATCHING PATTERN "*.hpp" PATTERN benchmarks EXCLUDE)
install(FILES
  "${PROJECT_BINARY_DIR}/include/picus/picus.hpp"
  "${PROJECT_BINARY_DIR}/include/picus/version.hpp"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/picus")

configure_package_config_file(cmake/picus-config.cmake.in picus-config.cmake INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file(picus-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT picus_targets FILE picus-targets.cmake NAMESPACE picus:: DESTINATION "${package_folder}")
install(FILES
  "${PROJECT_BINARY_DIR}/picus-config.cmake"
  "${PROJECT_BINARY_DIR}/picus-config-version.cmake"
  cmake/SuiteSparseModule.cmake
  cmake/FindCAMD.cmake
  cmake/FindCCOLAMD.cmake
  cmake/FindKLU.cmake
  cmake/FindUMFPACK.cmake
  cmake/FindCHOLMOD.cmake
  cmake/FindSPQR.cmake
  cmake/FindCBLAS.cmake
  DESTINATION "${package_folder}")
