# Runs check.cmake on a tree with every kind of violation, and on one with lines that only look like it.

function(write root file)
  list(JOIN ARGN "\n" text)
  file(WRITE "${root}/${file}" "${text}\n")
endfunction()

file(REMOVE_RECURSE "${WORK}")

set(bad "${WORK}/bad")
write("${bad}" include/picus/model.hpp "#pragma once" "#include <picus/models/ball.hpp>")
write("${bad}" include/picus/guard.hpp "#include <vector>")
write("${bad}" src/simulate.cpp "#include <picus/solvers/newton/newton.hpp>")
write("${bad}" src/checkpoint.cpp "#include \"results/hdf5_file.hpp\"")
write("${bad}" elements/joints/hinge.hpp "#pragma once" "#include \"../../solvers/linear/klu.hpp\"")
write("${bad}" elements/joints/hinge.cpp "#include <picus/models/ball.hpp>")
write("${bad}" solvers/linear/klu.cpp "  #  include  <picus/elements/joints/hinge.hpp>")
write("${bad}" tests/solvers/linear/klu_test.cpp "#include <picus/elements/joints/hinge.hpp>")

set(good "${WORK}/good")
write("${good}" include/picus/model.hpp "#pragma once" "// #include <picus/models/ball.hpp>" "#include <picus/elements.hpp>")
write("${good}" src/program/main.cpp "#include <picus/models/ball.hpp>")
write("${good}" src/results/hdf5_file.cpp "#include \"hdf5_file.hpp\"")
write("${good}" elements/joints/hinge.hpp "#pragma once" "#include <picus/elements/joints/axis.hpp>")
write("${good}" models/ball.hpp "#pragma once" "#include <picus/elements/joints/hinge.hpp>")

foreach(tree bad good)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${${tree}}" -P "${CMAKE_CURRENT_LIST_DIR}/check.cmake"
    RESULT_VARIABLE ${tree}_result ERROR_VARIABLE ${tree}_text)
endforeach()

if(bad_result EQUAL 0)
  message(FATAL_ERROR "no violation found")
endif()
file(GLOB_RECURSE files RELATIVE "${bad}" "${bad}/*")
foreach(file IN LISTS files)
  if(NOT bad_text MATCHES "${file}")
    message(FATAL_ERROR "the violation in ${file} was not found, only:\n${bad_text}")
  endif()
endforeach()
if(NOT good_result EQUAL 0)
  message(FATAL_ERROR "found a violation where there is none:\n${good_text}")
endif()
