# How the folders of the project become targets.

# Makes <picus/FOLDER/...> resolve to the sources while building, as it does once installed.
function(picus_link_headers)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include/picus")
  foreach(folder IN LISTS ARGN)
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${PROJECT_BINARY_DIR}/include/picus/${folder}" SYMBOLIC)
  endforeach()
endfunction()

# A third of what tests, models and commands take to compile at -O3 is optimisation that nothing gains from: what is computed
# at length is in core, elements and solvers. The precompiled headers decide, too: GCC compiles with the level that they were made with.
function(picus_optimize_little target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# picus_library(NAME): what the library target picus_NAME shares with the others. NOT_INSTALLED: it is for programs of
# the project. OUTSIDE_THE_STEP: nothing of it runs in a time step, so that it is optimised little.
function(picus_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NOT_INSTALLED;OUTSIDE_THE_STEP" "" "")
  set(target picus_${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  # Static ones, too, are linked by shared libraries. Shared ones change their binary interface with each minor version.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
    VERSION "${PROJECT_VERSION}" SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}"
    INSTALL_RPATH "$ORIGIN" DEFINE_SYMBOL "")
  picus_enable_warnings(${target})
  set(headers <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <algorithm> <array> <cmath> <functional> <limits> <memory>
    <optional> <span> <stdexcept> <string> <string_view> <utility> <vector> <picus/model.hpp> <picus/system.hpp>)
  set(first core)
  if(arg_OUTSIDE_THE_STEP)
    picus_optimize_little(${target})
    set(first study)
  endif()
  if(name STREQUAL first)
    picus_precompile_headers(${target} HEADERS ${headers})
  else()
    picus_precompile_headers(${target} REUSE picus_${first})
  endif()
  if(NOT arg_NOT_INSTALLED)
    add_library(picus::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS ${target} EXPORT picus_targets)
  endif()
endfunction()

# picus_add_elements(NAME...): NAME, such as joints/hinge, stands for the element's sources joints/hinge.hpp and
# joints/hinge.cpp and its test tests/elements/joints/hinge_test.cpp. INTERNAL: not for <picus/picus.hpp>.
function(picus_add_elements)
  cmake_parse_arguments(PARSE_ARGV 0 arg "INTERNAL" "" "")
  set(tests)
  foreach(name IN LISTS arg_UNPARSED_ARGUMENTS)
    target_sources(picus_elements PRIVATE ${name}.hpp ${name}.cpp)
    if(NOT arg_INTERNAL)
      set_property(GLOBAL APPEND_STRING PROPERTY PICUS_ELEMENT_INCLUDES "#include <picus/elements/${name}.hpp>\n")
      set_property(GLOBAL APPEND PROPERTY PICUS_ELEMENT_HEADERS elements/${name}.hpp)
    endif()
    set(test "${PROJECT_SOURCE_DIR}/tests/elements/${name}_test.cpp")
    if(EXISTS "${test}")
      list(APPEND tests "${test}")
    elseif(PICUS_REQUIRE_TESTS)
      message(FATAL_ERROR "element ${name} has no test: tests/elements/${name}_test.cpp is missing")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY PICUS_ELEMENT_TESTS ${tests})
endfunction()

# picus_precompile_test_headers(TARGET): the headers that all tests share, for a target of the tests.
function(picus_precompile_test_headers target)
  picus_optimize_little(${target})
  picus_precompile_headers(${target} REUSE picus_test_headers)
endfunction()

# picus_add_tests(NAME SOURCES file... LIBRARIES target...): the program test_NAME and its cases for CTest.
function(picus_add_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  set(target test_${name})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} picus_test_support GTest::gmock_main)
  picus_enable_warnings(${target})
  picus_precompile_test_headers(${target})
  # Tests share matchers, strings and helpers: 16 take 1.4 times what 8 take, and up to 2 GB.
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  # One thread each for the dense kernels: CTest already keeps all cores busy.
  gtest_discover_tests(${target} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${name} TIMEOUT 300 ENVIRONMENT OPENBLAS_NUM_THREADS=1)
endfunction()

# picus_add_benchmark(NAME LIBRARIES target...): the program bench_NAME of bench/NAME.cpp, built when it is asked for by
# its name, or all of them by `bench`.
function(picus_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES")
  set(target bench_${name})
  add_executable(${target} EXCLUDE_FROM_ALL ${name}.cpp)
  add_dependencies(bench ${target})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
  picus_enable_warnings(${target})
endfunction()

# picus_install_headers(HEADER...): installs these headers of elements, solvers and models with all that they include of these
# folders, so that an installed header never lacks another one. The global property PICUS_INSTALLED_HEADERS lists them.
function(picus_install_headers)
  set(waiting ${ARGN})
  set(headers)
  while(waiting)
    list(POP_FRONT waiting header)
    if(header IN_LIST headers)
      continue()
    endif()
    list(APPEND headers ${header})
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/picus/${folder}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${header}")
    file(STRINGS "${PROJECT_SOURCE_DIR}/${header}" includes REGEX "^#include")
    foreach(include IN LISTS includes)
      if(include MATCHES "<picus/((elements|solvers|models)/[^>]+)>")
        list(APPEND waiting ${CMAKE_MATCH_1})
      elseif(include MATCHES "\"([^\"]+)\"")
        list(APPEND waiting ${folder}/${CMAKE_MATCH_1})
      endif()
    endforeach()
  endwhile()
  set_property(GLOBAL PROPERTY PICUS_INSTALLED_HEADERS ${headers})
endfunction()

# picus_write_umbrella(): <picus/picus.hpp>, all that a user's program needs, from the list of elements.
function(picus_write_umbrella)
  get_property(element_includes GLOBAL PROPERTY PICUS_ELEMENT_INCLUDES)
  configure_file(cmake/picus.hpp.in include/picus/picus.hpp @ONLY)
endfunction()
