# What the cross toolchain files share: libraries from the sysroot that scripts/sysroot.sh fills,
# programs run under qemu-user. Needs HOIST_CROSS (the GNU triplet) and HOIST_QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${HOIST_CROSS}-gcc)
set(HOIST_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot/${HOIST_CROSS})
set(ENV{PKG_CONFIG_LIBDIR} ${HOIST_SYSROOT}/usr/lib/${HOIST_CROSS}/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${HOIST_SYSROOT})
# Headers that differ between architectures (zconf.h, openssl/configuration.h) have their own folder.
set(CMAKE_C_FLAGS_INIT "-idirafter ${HOIST_SYSROOT}/usr/include/${HOIST_CROSS}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${HOIST_SYSROOT}/usr/lib/${HOIST_CROSS}")
set(CMAKE_CROSSCOMPILING_EMULATOR
  ${HOIST_QEMU} -L /usr/${HOIST_CROSS} -E LD_LIBRARY_PATH=${HOIST_SYSROOT}/usr/lib/${HOIST_CROSS})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
