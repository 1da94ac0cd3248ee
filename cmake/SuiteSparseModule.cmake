# What the find modules of the SuiteSparse libraries share.
#
# suitesparse_module(NAME LIBRARY lib HEADER header [VERSION_HEADER header])
#
# finds the shared library, which brings those that it needs itself, and defines the imported target
# SuiteSparse::NAME and the variables NAME_FOUND, NAME_VERSION, NAME_LIBRARY and NAME_INCLUDE_DIR (the last two in
# the cache, to be set by hand for an unusual place).
#   HEADER          its main header, as sources include it
#   VERSION_HEADER  the header that defines NAME_MAIN_VERSION, NAME_SUB_VERSION and NAME_SUBSUB_VERSION, if another

include(FindPackageHandleStandardArgs)

# The value of `#define MACRO value` in the file, empty if there is none.
function(suitesparse_macro file macro result)
  set(value "")
  if(EXISTS "${file}")
    file(STRINGS "${file}" lines REGEX "^#define[ \t]+${macro}[ \t]+[0-9]+")
    string(REGEX REPLACE "^#define[ \t]+${macro}[ \t]+([0-9]+).*" "\\1" value "${lines}")
  endif()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

macro(suitesparse_module name)
  cmake_parse_arguments(_ss "" "LIBRARY;HEADER;VERSION_HEADER" "" ${ARGN})
  if(NOT _ss_VERSION_HEADER)
    set(_ss_VERSION_HEADER ${_ss_HEADER})
  endif()

  find_path(${name}_INCLUDE_DIR ${_ss_HEADER} PATH_SUFFIXES suitesparse)
  find_library(${name}_LIBRARY ${_ss_LIBRARY})
  mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)

  set(${name}_VERSION)
  foreach(_ss_part MAIN SUB SUBSUB)
    suitesparse_macro("${${name}_INCLUDE_DIR}/${_ss_VERSION_HEADER}" ${name}_${_ss_part}_VERSION _ss_number)
    list(APPEND ${name}_VERSION ${_ss_number})
  endforeach()
  list(JOIN ${name}_VERSION "." ${name}_VERSION)

  find_package_handle_standard_args(${name}
    REQUIRED_VARS ${name}_LIBRARY ${name}_INCLUDE_DIR
    VERSION_VAR ${name}_VERSION
    REASON_FAILURE_MESSAGE "On Debian: apt-get install libsuitesparse-dev")

  if(${name}_FOUND AND NOT TARGET SuiteSparse::${name})
    add_library(SuiteSparse::${name} UNKNOWN IMPORTED)
    set_target_properties(SuiteSparse::${name} PROPERTIES
      IMPORTED_LOCATION "${${name}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE_DIR}")
  endif()
endmacro()
