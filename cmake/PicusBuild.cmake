# Settings that hold for every target of the build: build type, output folders, compiler cache, warnings.

if(PROJECT_IS_TOP_LEVEL)
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT multi_config)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
  endif()

  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

  find_program(CCACHE_EXECUTABLE ccache)
  mark_as_advanced(CCACHE_EXECUTABLE)
  if(CCACHE_EXECUTABLE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_CURRENT_LIST_DIR}/cached_compiler.sh" "${CCACHE_EXECUTABLE}")
  endif()
endif()

set(CMAKE_CXX_EXTENSIONS OFF)

if(PICUS_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(LANGUAGES CXX)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

# Most of the work on a source is its headers and the classes of its expressions: those of a batch share them. Larger
# batches gain little (with 24, ./run.sh takes as long as with 8), and their anonymous namespaces meet more often.
if(PICUS_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
  # Collecting the garbage of a batch saves a fifth of its memory and takes 5 to 10 % of its time.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=2097152>)
endif()

# The project's own warnings. Never part of what an installed target asks of its users.
function(picus_enable_warnings target)
  # Structs of options are filled by name; what is left out keeps its default, which is no mistake.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor
    -Wold-style-cast -Wno-missing-field-initializers)
  if(PICUS_UNITY)
    # What is local to one file of a batch is no shadowed global of the next one, nor is it seen by others.
    target_compile_options(${target} PRIVATE -Wno-shadow
      $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)
  endif()
  set_target_properties(${target} PROPERTIES COMPILE_WARNING_AS_ERROR ${PICUS_WARNINGS_AS_ERRORS})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # GCC counts these apart from -Wconversion, too: sizes of Eigen are signed, those of containers are not.
    target_compile_options(${target} PRIVATE -Wno-sign-conversion)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A guess of the optimiser: shown, but not fatal.
    target_compile_options(${target} PRIVATE -Wno-error=maybe-uninitialized)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # False alarms that this version raises in inlined Eigen code, and for "literal" + std::string (bug 105651).
      target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
        -Wno-restrict)
    endif()
  endif()
endfunction()

# Options that change the layout of data or the run-time library. A program must be compiled with the same ones as
# the library it links, so they belong to the interface of the core, installed or not.
function(picus_add_abi_options target)
  if(PICUS_NATIVE)
    target_compile_options(${target} PUBLIC -march=native)
  endif()
  if(PICUS_SANITIZE)
    # Null, misplaced and misaligned objects and pointers that run out of them show without checks of their own, which take a
    # third of the compiler's time: the address sanitizer reports what is read or written there, Eigen's assertions the third.
    set(sanitizers -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,pointer-overflow)
    target_compile_options(${target} PUBLIC ${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Calls instead of inlined checks of addresses: a sixth less to compile.
      target_compile_options(${target} PUBLIC "SHELL:--param asan-instrumentation-with-call-threshold=0")
    endif()
    target_link_options(${target} PUBLIC ${sanitizers})
    target_compile_definitions(${target} PUBLIC _GLIBCXX_ASSERTIONS)
  endif()
  if(PICUS_SANITIZE_THREADS)
    target_compile_options(${target} PUBLIC -fsanitize=thread)
    target_link_options(${target} PUBLIC -fsanitize=thread)
  endif()
endfunction()

# Precompiles HEADERS for `target`, or shares those of target REUSE, which must be compiled with the same options.
function(picus_precompile_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "REUSE" "HEADERS")
  if(arg_REUSE)
    target_precompile_headers(${target} REUSE_FROM ${arg_REUSE})
    get_target_property(is_position_independent ${arg_REUSE} POSITION_INDEPENDENT_CODE)
    if(is_position_independent)
      target_compile_options(${target} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})  # CMake gives programs -fPIE
    endif()
  else()
    target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Position-independent code may still be inlined: nobody replaces single functions of the library at run time.
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # lets ccache see through them
  endif()
endfunction()
