# Fails if a source below ROOT is compiled by no target of BUILD, which mostly means that its line in a CMake list is
# missing.

file(READ "${BUILD}/compile_commands.json" commands)
# In a build by batches, the generated file of each includes its sources.
string(REGEX MATCHALL "\"file\": \"[^\"]+/Unity/unity_[0-9]+_cxx.cxx" batches "${commands}")
foreach(batch IN LISTS batches)
  string(REGEX REPLACE ".*\"" "" batch "${batch}")
  file(READ "${batch}" text)
  string(APPEND commands "${text}")
endforeach()
set(forgotten)
foreach(folder src elements solvers models tests)
  file(GLOB_RECURSE sources "${ROOT}/${folder}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/tests/package/")
  foreach(source IN LISTS sources)
    string(FIND "${commands}" "\"${source}\"" position)
    if(position EQUAL -1)
      list(APPEND forgotten "${source}")
    endif()
  endforeach()
endforeach()

if(forgotten)
  list(JOIN forgotten "\n  " text)
  message(FATAL_ERROR "In no CMake list:\n  ${text}")
endif()
