# One CMake target per folder of src/. hoist_layer() makes the static library hoist_<name>
# (a slash in the folder name becomes an underscore) whose link dependencies are the folder's
# row of scripts/layers.txt, so that a forbidden call also fails to link.
#
#   hoist_layer(codec
#     SOURCES json.c yaml.c
#     DEPS base
#     LIBS PkgConfig::yaml
#     TESTING document_testing.c       what its tests and fuzz targets share
#     TESTS json_test.c yaml_test.c
#     FUZZ json_fuzz.c)
include(CMakeParseArguments)

set(HOIST_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wcast-qual -Wformat=2 -Wundef -Wvla -Wpointer-arith -Wwrite-strings
  -Wimplicit-fallthrough)

# Each float operation rounds to its own type, on every machine, as kernels/compute.h asserts: in ISO
# mode GCC evaluates float as double on s390x.
include(CheckCSourceCompiles)
check_c_source_compiles("#include <float.h>
  _Static_assert(FLT_EVAL_METHOD == 0, \"\");
  int main(void) { return 0; }" HOIST_FLOATS_ROUND)
set(HOIST_FLOATS -ffp-contract=off)
if(NOT HOIST_FLOATS_ROUND)
  list(APPEND HOIST_FLOATS -fexcess-precision=fast)
endif()

add_library(hoist_flags INTERFACE)
target_compile_options(hoist_flags INTERFACE ${HOIST_WARNINGS} ${HOIST_FLOATS} -fvisibility=hidden)
target_compile_definitions(hoist_flags INTERFACE _GNU_SOURCE)
target_include_directories(hoist_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
if(HOIST_WERROR)
  target_compile_options(hoist_flags INTERFACE -Werror)
endif()
if(HOIST_SANITIZE)
  target_compile_options(hoist_flags INTERFACE -fsanitize=${HOIST_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(hoist_flags INTERFACE -fsanitize=${HOIST_SANITIZE})
endif()
if(HOIST_COVERAGE)
  target_compile_options(hoist_flags INTERFACE --coverage)
  target_link_options(hoist_flags INTERFACE --coverage)
endif()
# Calls at every comparison took 40 to 50 % of the time, and dictionaries know the words: without them
# the targets of NEFF made 1.6 to 2.6 times as many executions in a time, and found more new inputs.
# What we guarantee ourselves is tested too, whatever the build type defines: base/assert.h sees to it.
if(HOIST_FUZZ)
  target_compile_options(hoist_flags INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp
    -UNDEBUG)
  target_compile_definitions(hoist_flags INTERFACE HOIST_FUZZ)
  target_link_options(hoist_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

set_property(GLOBAL PROPERTY HOIST_LAYERS "")

# A test program beside the code: src/base/arena_test.c is the test "base/arena".
function(hoist_test layer source)
  string(REPLACE "/" "_" flat ${layer})
  get_filename_component(stem ${source} NAME_WE)
  add_executable(${flat}_${stem} ${source})
  target_link_libraries(${flat}_${stem} PRIVATE hoist_${flat} hoist_testing hoist_flags ${ARGN})
  target_compile_definitions(${flat}_${stem} PRIVATE HOIST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  string(REGEX REPLACE "_test$" "" short ${stem})
  add_test(NAME ${layer}/${short} COMMAND ${flat}_${stem})
  set_tests_properties(${layer}/${short} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# A fuzz target beside the parser. With the fuzz preset it is a libFuzzer program; in every other
# build it replays the committed inputs as a plain test: the seeds and past crashes of
# fuzz/corpus/<stem>/, and the archive of what fuzzing has found, which is unpacked into the build.
function(hoist_fuzz layer source)
  string(REPLACE "/" "_" flat ${layer})
  get_filename_component(stem ${source} NAME_WE)
  add_executable(${stem} ${source})
  target_link_libraries(${stem} PRIVATE hoist_${flat} hoist_testing hoist_flags ${ARGN})
  if(HOIST_FUZZ)
    target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${stem} PRIVATE ${PROJECT_SOURCE_DIR}/src/testing/fuzz_replay.c)
    set(corpus ${PROJECT_SOURCE_DIR}/fuzz/corpus/${stem})
    set(found "")
    if(EXISTS ${corpus}.tar.gz)
      set(found ${PROJECT_BINARY_DIR}/fuzz-corpus/${stem})
      add_custom_command(OUTPUT ${found}.unpacked
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${found}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${found}
        COMMAND ${CMAKE_COMMAND} -E chdir ${found} ${CMAKE_COMMAND} -E tar xf ${corpus}.tar.gz
        COMMAND ${CMAKE_COMMAND} -E touch ${found}.unpacked
        DEPENDS ${corpus}.tar.gz
        VERBATIM)
      target_sources(${stem} PRIVATE ${found}.unpacked)
    endif()
    add_test(NAME fuzz/${stem} COMMAND ${stem} ${corpus} ${found})
  endif()
endfunction()

function(hoist_layer name)
  cmake_parse_arguments(L "" "" "SOURCES;DEPS;LIBS;TESTING;TESTS;FUZZ" ${ARGN})
  string(REPLACE "/" "_" flat ${name})
  add_library(hoist_${flat} STATIC ${L_SOURCES})
  set_property(TARGET hoist_${flat} PROPERTY POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(hoist_${flat} PRIVATE hoist_flags)
  foreach(dep ${L_DEPS})
    string(REPLACE "/" "_" dep ${dep})
    target_link_libraries(hoist_${flat} PUBLIC hoist_${dep})
  endforeach()
  target_link_libraries(hoist_${flat} PUBLIC ${L_LIBS})
  set_property(GLOBAL APPEND PROPERTY HOIST_LAYERS hoist_${flat})
  if(BUILD_TESTING)
    set(helpers "")
    if(L_TESTING)
      set(helpers hoist_${flat}_testing)
      add_library(${helpers} STATIC ${L_TESTING})
      target_link_libraries(${helpers} PRIVATE hoist_${flat} hoist_testing hoist_flags)
    endif()
    foreach(test ${L_TESTS})
      hoist_test(${name} ${test} ${helpers})
    endforeach()
    foreach(target ${L_FUZZ})
      hoist_fuzz(${name} ${target} ${helpers})
    endforeach()
  endif()
endfunction()
