# Installs headers and libraries (the programs and libraries declare themselves) as the CMake package `picus`.

include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/picus")

install(DIRECTORY include/picus DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
# Of the other folders what users write against, and what that includes: schemes and analyses, elements, ready-made models.
file(GLOB model_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" models/*.hpp)
get_property(element_headers GLOBAL PROPERTY PICUS_ELEMENT_HEADERS)
picus_install_headers(
  ${element_headers}
  ${model_headers}
  solvers/analyses/matrix_market.hpp
  solvers/analyses/mobility.hpp
  solvers/analyses/record_modes.hpp
  solvers/analyses/reduction.hpp
  solvers/analyses/static_equilibrium.hpp
  solvers/analyses/step_contacts.hpp
  solvers/analyses/vibration_modes.hpp
  solvers/integrators/alpha_scheme.hpp
  solvers/integrators/coupled_nsga.hpp
  solvers/integrators/decoupled_nsga.hpp
  solvers/integrators/generalized_alpha.hpp
  solvers/integrators/mixed_scheme.hpp
  solvers/integrators/moreau_jean.hpp
  solvers/integrators/schatzman_paoli.hpp
  solvers/integrators/schemes.hpp)
install(FILES
  "${PROJECT_BINARY_DIR}/include/picus/picus.hpp"
  "${PROJECT_BINARY_DIR}/include/picus/version.hpp"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/picus")

set(PICUS_SCRIPTS_FOLDER "${CMAKE_INSTALL_DATADIR}/picus/scripts")
configure_package_config_file(cmake/picus-config.cmake.in picus-config.cmake INSTALL_DESTINATION "${package_folder}"
  PATH_VARS PICUS_SCRIPTS_FOLDER)
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
