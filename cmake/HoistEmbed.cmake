# Files as arrays of bytes in a C source: cmake -DOUT=F.c -DNAME=viewer_script -DFILES=a.js;b.js -P this.
# The files follow one another. Nothing but CMake is needed.
set(hex "")
foreach(file ${FILES})
  file(READ ${file} part HEX)
  string(APPEND hex ${part})
endforeach()
string(LENGTH "${hex}" size)
math(EXPR size "${size} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "// Made by cmake/HoistEmbed.cmake.\n#include <stddef.h>\n#include <stdint.h>\n
extern const uint8_t ${NAME}[];\nextern const size_t ${NAME}_size;\n
const uint8_t ${NAME}[] = {\n${bytes}\n};\nconst size_t ${NAME}_size = ${size};\n")
