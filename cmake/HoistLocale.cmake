# A locale with a decimal comma for the tests that want one: made here from the sources of Debian's
# package `locales`, because a fresh machine has none. Without those sources, or for another machine
# (the files are in the byte order of the one that makes them), such tests are skipped.
find_program(HOIST_LOCALEDEF localedef)
set(HOIST_LOCALES ${PROJECT_BINARY_DIR}/locale)
if(HOIST_LOCALEDEF AND EXISTS /usr/share/i18n/locales/de_DE AND NOT CMAKE_CROSSCOMPILING
   AND NOT EXISTS ${HOIST_LOCALES}/de_DE.UTF-8)
  file(MAKE_DIRECTORY ${HOIST_LOCALES})
  execute_process(COMMAND ${HOIST_LOCALEDEF} --no-archive -i de_DE -f UTF-8 ${HOIST_LOCALES}/de_DE.UTF-8)
endif()

# To be called in the folder of the tests.
function(hoist_test_locale)
  set_tests_properties(${ARGN} PROPERTIES ENVIRONMENT LOCPATH=${HOIST_LOCALES})
endfunction()
