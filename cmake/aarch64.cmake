set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(HOIST_CROSS aarch64-linux-gnu)
set(HOIST_QEMU qemu-aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
