set(CMAKE_SYSTEM_PROCESSOR s390x)
set(HOIST_CROSS s390x-linux-gnu)
set(HOIST_QEMU qemu-s390x)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
