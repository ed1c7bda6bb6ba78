# libhoist.so and libhoist.a from all layers, and what an installation holds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY HOIST_LAYERS)
set(objects "")
foreach(layer ${layers})
  list(APPEND objects $<TARGET_OBJECTS:${layer}>)
endforeach()

# Of an archive everything that is not static is seen by the linker, whatever its visibility, and would
# meet the names of the program. So libhoist.a is one object, in which hidden names are local. The list
# of objects is a file because a command line has its limits.
set(HOIST_OBJECT ${PROJECT_BINARY_DIR}/hoist${CMAKE_C_OUTPUT_EXTENSION})
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/hoist.objects CONTENT "\"$<JOIN:${objects},\"\n\">\"\n")
add_custom_command(OUTPUT ${HOIST_OBJECT}
  COMMAND ${CMAKE_C_COMPILER} -nostdlib -r -o ${HOIST_OBJECT} @${PROJECT_BINARY_DIR}/hoist.objects
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${HOIST_OBJECT}
  DEPENDS ${layers} ${PROJECT_BINARY_DIR}/hoist.objects
  COMMENT "Linking hoist${CMAKE_C_OUTPUT_EXTENSION}"
  VERBATIM)

add_library(hoist_shared SHARED ${objects})
add_library(hoist_static STATIC ${HOIST_OBJECT})
foreach(target hoist_shared hoist_static)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME hoist EXPORT_NAME ${target} LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:hoist_flags>
    $<BUILD_INTERFACE:PkgConfig::libcrypto> $<BUILD_INTERFACE:PkgConfig::yaml>
    $<BUILD_INTERFACE:PkgConfig::zlib> $<BUILD_INTERFACE:Threads::Threads>)
endforeach()
# Who links the shared library needs no more: it names what it needs itself.
target_link_libraries(hoist_static INTERFACE $<INSTALL_INTERFACE:crypto> $<INSTALL_INTERFACE:yaml>
  $<INSTALL_INTERFACE:z> $<INSTALL_INTERFACE:m> $<INSTALL_INTERFACE:-pthread>)
set(HOIST_MAP ${PROJECT_SOURCE_DIR}/cmake/hoist.map)
target_link_options(hoist_shared PRIVATE -Wl,--version-script=${HOIST_MAP})
target_link_libraries(hoist_shared PRIVATE m)
if(HOIST_SANITIZE STREQUAL "")
  # Nothing stays undefined; a sanitized library gets its runtime from the program.
  target_link_options(hoist_shared PRIVATE -Wl,-z,defs)
endif()
set_property(TARGET hoist_shared APPEND PROPERTY LINK_DEPENDS ${HOIST_MAP})

install(TARGETS hoist_shared hoist_static EXPORT hoist-targets)
install(TARGETS hoist_tool)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hoist DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT hoist-targets NAMESPACE hoist:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hoist)
# Another find_package, in the same folder or one that was added, finds the name taken.
file(WRITE ${PROJECT_BINARY_DIR}/hoist-config.cmake [[
include(${CMAKE_CURRENT_LIST_DIR}/hoist-targets.cmake)
if(NOT TARGET hoist::hoist)
  add_library(hoist::hoist ALIAS hoist::hoist_shared)
endif()
]])
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hoist-config-version.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hoist-config.cmake ${PROJECT_BINARY_DIR}/hoist-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hoist)
# Relative, so that `cmake --install --prefix` and DESTDIR need no edited file.
file(RELATIVE_PATH HOIST_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/hoist.pc.in ${PROJECT_BINARY_DIR}/hoist.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hoist.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# With the paths that headers, manual pages and README use.
install(FILES README.md LICENSE CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg"
  PATTERN docs/man EXCLUDE PATTERN docs/completions EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
  FILES_MATCHING PATTERN "*.1")
install(FILES ${PROJECT_SOURCE_DIR}/docs/completions/hoist.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME hoist)
install(FILES ${PROJECT_SOURCE_DIR}/docs/completions/_hoist
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${PROJECT_SOURCE_DIR}/docs/completions/hoist.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas/ DESTINATION ${CMAKE_INSTALL_DATADIR}/hoist/schemas)
