# Reads the #include lines below ROOT and fails if a folder sees another one that it must not know, or if a public
# header lacks #pragma once.

set(violations)

# check(FOLDER... FORBIDDEN FOLDER...)
function(check)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FORBIDDEN")
  list(JOIN arg_FORBIDDEN "|" forbidden)
  foreach(folder IN LISTS arg_UNPARSED_ARGUMENTS)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.hpp" "${ROOT}/${folder}/*.cpp")
    list(FILTER files EXCLUDE REGEX "^src/program/")
    foreach(file IN LISTS files)
      file(STRINGS "${ROOT}/${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]*/)?(${forbidden})/")
      foreach(include IN LISTS includes)
        list(APPEND violations "${file} must not see this folder: ${include}")
      endforeach()
    endforeach()
  endforeach()
  set(violations ${violations} PARENT_SCOPE)
endfunction()

check(include/picus src FORBIDDEN elements solvers models)
# The core writes no results: only src/results knows HDF5.
check(include/picus src FORBIDDEN results program)
check(elements FORBIDDEN solvers models)
check(solvers FORBIDDEN elements models)
# What stands later may see what stands earlier.
check(solvers/linear FORBIDDEN newton contact subproblems analyses integrators)
check(solvers/newton FORBIDDEN contact subproblems analyses integrators)
check(solvers/contact FORBIDDEN newton subproblems analyses integrators)
check(solvers/subproblems FORBIDDEN analyses integrators)
check(solvers/analyses FORBIDDEN integrators)
check(tests/core tests/support FORBIDDEN elements solvers models)
# Tests of elements may watch motions: they see the solvers, the elements themselves never do.
check(tests/elements FORBIDDEN models)
check(tests/solvers FORBIDDEN elements models)

foreach(folder include/picus elements solvers models)
  file(GLOB_RECURSE headers RELATIVE "${ROOT}" "${ROOT}/${folder}/*.hpp")
  foreach(header IN LISTS headers)
    file(STRINGS "${ROOT}/${header}" pragma REGEX "^#pragma once$")
    if(NOT pragma)
      list(APPEND violations "${header} lacks #pragma once")
    endif()
  endforeach()
endforeach()

if(violations)
  list(JOIN violations "\n  " text)
  message(FATAL_ERROR "The folders of Picus see each other in one direction only:\n  ${text}")
endif()
