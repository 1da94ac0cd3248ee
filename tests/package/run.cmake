# Installs the build into a new folder and builds and runs an external program against it.

set(prefix "${WORK}/prefix")
set(build "${WORK}/build")
file(REMOVE_RECURSE "${WORK}")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${PICUS_BUILD}" --prefix "${prefix}" --config "${CONFIG}")

# The program is the one that the README shows.
file(READ "${CMAKE_CURRENT_LIST_DIR}/main.cpp" program)
file(READ "${PICUS_SOURCE}/README.md" readme)
string(FIND "${readme}" "${program}" position)
if(position EQUAL -1)
  message(FATAL_ERROR "README.md does not show tests/package/main.cpp as it is")
endif()

# A package that names the folders it was built from works on no other machine.
file(GLOB_RECURSE files "${prefix}/*.cmake")
foreach(file IN LISTS files)
  file(STRINGS "${file}" lines)
  foreach(folder "${PICUS_SOURCE}" "${PICUS_BUILD}")
    string(FIND "${lines}" "${folder}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} names ${folder}")
    endif()
  endforeach()
endforeach()

# Headers find what they include, and what is made of parts inside stays inside.
file(GLOB_RECURSE headers "${prefix}/include/*.hpp")
foreach(header IN LISTS headers)
  file(STRINGS "${header}" includes REGEX "^#include <picus/")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE ".*<(.*)>.*" "\\1" include "${include}")
    if(NOT EXISTS "${prefix}/include/${include}")
      message(FATAL_ERROR "${header} includes <${include}>, which is not installed")
    endif()
  endforeach()
endforeach()
foreach(internal elements/solids/hexahedron_kernel models/benchmarks/benchmark solvers/linear/umfpack_solver)
  if(EXISTS "${prefix}/include/picus/${internal}.hpp")
    message(FATAL_ERROR "${internal}.hpp is installed, which is no header for users")
  endif()
endforeach()

run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${build}" -G "${GENERATOR}"
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_BUILD_TYPE=${CONFIG}"
  "-DPICUS_VERSION=${VERSION}")
run("${CMAKE_COMMAND}" --build "${build}" --config "${CONFIG}")
execute_process(COMMAND "${build}/external" WORKING_DIRECTORY "${build}" COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS "${build}/ball.h5")
  message(FATAL_ERROR "the external program wrote no ball.h5")
endif()
execute_process(COMMAND "${build}/host" WORKING_DIRECTORY "${build}" COMMAND_ERROR_IS_FATAL ANY)

# Repositories of their own, as users have them.
foreach(example own_equations own_fmu own_friction own_model own_scheme)
  run("${CMAKE_COMMAND}" -S "${PICUS_SOURCE}/examples/${example}" -B "${WORK}/${example}" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_BUILD_TYPE=${CONFIG}")
  run("${CMAKE_COMMAND}" --build "${WORK}/${example}" --config "${CONFIG}")
endforeach()
run("${PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/own_equations_test.py" "${WORK}/own_equations/cam" "${WORK}/own_equations_runs")
run("${PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/own_friction_test.py" "${WORK}/own_friction/bow" "${WORK}/own_friction_runs")
# The importer of the tests is in Python, which does not have the runtime of the sanitizers.
if(NOT SANITIZED)
  foreach(test description simulation)
    run("${PYTHON}" "${PICUS_SOURCE}/tests/fmu/${test}_test.py" "${WORK}/own_fmu/cart.fmu" "${WORK}/own_fmu/cart" "${WORK}/own_fmu_runs")
  endforeach()
  run("${PYTHON}" "${PICUS_SOURCE}/tests/fmu/program_test.py" "${prefix}/bin/picus" "${WORK}/own_fmu/cart.so" "${WORK}/fmu_runs")
endif()
run("${PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/own_model_test.py" "${WORK}/own_model/flap" "${WORK}/own_model_runs"
  "${PICUS_SOURCE}/docs/own-models.md")
run("${PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/own_scheme_test.py" "${WORK}/own_scheme/sweeping" "${WORK}/own_scheme_runs")

# Headers that the manual calls stable are installed, and include what they need.
file(STRINGS "${PICUS_SOURCE}/docs/own-schemes.md" stable REGEX "^\\| `picus/.*\\.hpp` \\|")
set(sources)
foreach(line IN LISTS stable)
  string(REGEX REPLACE "^\\| `([^`]*)`.*" "\\1" header "${line}")
  string(MAKE_C_IDENTIFIER "${header}" name)
  file(WRITE "${WORK}/stable/${name}.cpp" "#include <${header}>\n")
  list(APPEND sources "${name}.cpp")
endforeach()
list(LENGTH sources count)
if(count LESS 15)
  message(FATAL_ERROR "docs/own-schemes.md names ${count} stable headers only")
endif()
list(JOIN sources " " sources)
file(WRITE "${WORK}/stable/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(stable LANGUAGES CXX)\n"
  "find_package(picus REQUIRED)\nadd_library(stable OBJECT ${sources})\ntarget_link_libraries(stable PRIVATE picus::picus)\n"
  "target_compile_options(stable PRIVATE -fsyntax-only)\n")
run("${CMAKE_COMMAND}" -S "${WORK}/stable" -B "${WORK}/stable/build" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}")
run("${CMAKE_COMMAND}" --build "${WORK}/stable/build")

# What is not there is refused with the reason.
function(expect_refusal component reason)
  file(WRITE "${WORK}/refused/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(refused LANGUAGES CXX)\n"
    "find_package(picus REQUIRED COMPONENTS ${component})\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/refused" -B "${WORK}/refused/build" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" RESULT_VARIABLE status ERROR_VARIABLE errors OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " errors "${errors}")
  string(FIND "${errors}" "${reason}" position)
  if(status EQUAL 0 OR position EQUAL -1)
    message(FATAL_ERROR "find_package(picus COMPONENTS ${component}) does not say \"${reason}\", but: ${errors}")
  endif()
endfunction()
expect_refusal(modles "there is no component modles; Picus has picus, models, program, core")
