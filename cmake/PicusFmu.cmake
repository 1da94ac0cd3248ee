# Functions that make FMUs (units of the Functional Mock-up Interface 3.0) of models.

# picus_add_fmu_library(NAME SOURCES file... [LIBRARIES target...]): the library NAME.so of an FMU, from sources that define
# picus::fmu_models(). It exports the functions of FMI alone, so that several FMUs share a process.
function(picus_add_fmu_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_library(${name} MODULE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE picus::fmu ${arg_LIBRARIES})
  set(exports "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fmu_exports.map")
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden LINK_DEPENDS "${exports}")
  # Libraries with threads of their own stay in memory when an importer unloads the FMU.
  target_link_options(${name} PRIVATE "LINKER:--version-script=${exports}" LINKER:--as-needed LINKER:-z,nodelete
    LINKER:--undefined=fmi3GetVersion LINKER:--undefined=fmi3EnterEventMode LINKER:--undefined=picus_fmu_describe)
endfunction()

# picus_add_fmu(NAME SOURCES file... [LIBRARIES target...] [OPTIONS word...]): NAME.fmu in the binary folder, by
# `picus fmu` with these options, such as the name of the model where there are several, --set or --output.
function(picus_add_fmu name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;OPTIONS")
  picus_add_fmu_library(${name} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND picus::fmu_program fmu --library "$<TARGET_FILE:${name}>" --out "${CMAKE_CURRENT_BINARY_DIR}/${name}.fmu"
      --force --quiet ${arg_OPTIONS}
    COMMENT "Making ${name}.fmu" VERBATIM)
endfunction()
